# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks that CMake knows every C++ file by its name: check_files.py <source folder> [--write]

A source is named in the sources.cmake of its folder, in a CMakeLists.txt of its folder or of one above, or anywhere by
its whole path. A public header is named in the headers.cmake of its layer, or in src/CMakeLists.txt. Any other header
is included by a file or, where that file is a generated one, its name is a word of such a CMakeLists.txt. The lists are
sorted and name no file that does not exist. --write writes the lists.
"""

import re
import sys
from pathlib import Path

from examples import tree_of
from report import report

HEAD = """\
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
"""
FOLDERS = ["include", "src", "apps", "tests", "perf", "examples"]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)


def words_of(file):
    """The words of a file of CMake outside of comments: whole paths, names, and names without their endings."""
    paths = re.findall(r"[\w./-]+", re.sub(r"#.*", "", file.read_text()))
    names = {name for path in paths for name in path.split("/")}
    return {*paths, *names, *(name.split(".")[0] for name in names)}


class Tree:
    def __init__(self, source):
        self.source = source
        files = [f for folder in FOLDERS for f in sorted((source / folder).rglob("*")) if f.is_file()]
        self.headers = [f for f in files if f.suffix == ".hpp"]
        self.sources = [f for f in files if f.suffix == ".cpp"]
        self.words = {f.parent: words_of(f) for f in files if f.name == "CMakeLists.txt"}
        # What every folder uses.
        self.words[source] = set().union(*map(words_of, (source / "cmake").rglob("*.cmake")))
        self.top_headers = self.words.get(source / "src", set())
        self.included = set()
        for file in self.headers + self.sources:
            for name in INCLUDE.findall(file.read_text()):
                for folder in (file.parent, source / "include", source / "tests"):
                    # A file that includes itself does not make itself known.
                    if (path := (folder / name).resolve()) != file:
                        self.included.add(path)

    def named_by_cmake(self, file, name):
        if any(name in self.words.get(folder, ()) for folder in file.parents):
            return True
        path = f"/{file.relative_to(self.source)}"
        return any(path in words for words in self.words.values())

    def lists(self):
        """Every list there should be: its path and the files that it should name."""
        wanted = {}
        for file in self.sources:
            wanted.setdefault(file.parent / "sources.cmake", []).append(file)
        for path, files in list(wanted.items()):
            if not path.exists() and all(self.named_by_cmake(file, file.name) for file in files):
                del wanted[path]
        public = self.source / "include" / "upsweep"
        for file in self.headers:
            below = file.relative_to(public) if file.is_relative_to(public) else None
            if below is None or str(below) in self.top_headers:
                continue
            folder = next((f for f in file.parents if (f / "headers.cmake").exists()), public / below.parts[0])
            if len(below.parts) > 1:
                wanted.setdefault(folder / "headers.cmake", []).append(file)
        return wanted


def text_of(path, files):
    names = "".join(f"  {name}\n" for name in sorted(str(f.relative_to(path.parent)) for f in files))
    return f"{HEAD}set(\n  {path.stem}\n{names})\n"


def check(source):
    """Returns the violations and how many files were looked at."""
    source = source.resolve()
    tree = Tree(source)
    violations = []
    lists = tree.lists()
    for path in [*source.rglob("sources.cmake"), *source.rglob("headers.cmake")]:
        if path.relative_to(source).parts[0] in FOLDERS:
            lists.setdefault(path, [])
    for path, files in sorted(lists.items()):
        where = path.relative_to(source)
        text = path.read_text() if path.exists() else ""
        named = re.findall(r"^  ([\w./-]+\.[ch]pp)$", text, re.MULTILINE)
        wanted = [str(f.relative_to(path.parent)) for f in files]
        violations += [f"{where}: {name} is not named" for name in wanted if name not in named]
        violations += [f"{where}: there is no {name}" for name in named if name not in wanted]
        if sorted(named) == sorted(wanted) and text != text_of(path, files):
            violations.append(f"{where}: not as check_files.py --write makes it")
    listed = {file for files in lists.values() for file in files}
    for file in tree.headers:
        where = file.relative_to(source)
        if where.parts[:2] == ("include", "upsweep"):
            if file not in listed and str(Path(*where.parts[2:])) not in tree.top_headers:
                violations.append(f"{where}: no list names it")
        elif file not in tree.included and not tree.named_by_cmake(file, file.stem):
            violations.append(f"{where}: nothing includes it")
    return violations, len(tree.headers) + len(tree.sources)


def write(source):
    for path, files in Tree(source.resolve()).lists().items():
        path.write_text(text_of(path, files))


def check_example(files, after=lambda folder: None):
    with tree_of(files) as folder:
        after(folder)
        return check(folder)[0]


EXAMPLE = {
    "cmake/Targets.cmake": "upsweep_program(x SOURCES main.cpp)\n",
    "src/CMakeLists.txt": "upsweep_headers(headers top.hpp base)\nadd_executable(y named/by_hand.cpp)\n",
    "src/base/a.cpp": '#include "inner.hpp"\n',
    "src/base/b.cpp": "",
    "src/base/inner.hpp": "",
    "src/named/by_hand.cpp": "",
    "tests/main.cpp": "",
    "include/upsweep/top.hpp": "",
    "include/upsweep/base/c.hpp": "",
    "include/upsweep/base/detail/d.hpp": "",
    "perf/CMakeLists.txt": "generate(peer:call)\n",
    "perf/scan/peer.hpp": "",
}
# What is done to the example after its lists were written, and the violation that it makes.
CHANGES = {
    "a source without a name": (lambda f: (f / "src/base/new.cpp").write_text(""), "new.cpp is not named"),
    "a public header without a name": (
        lambda f: (f / "include/upsweep/base/e.hpp").write_text(""),
        "e.hpp is not named",
    ),
    "a top header without a name": (lambda f: (f / "include/upsweep/other.hpp").write_text(""), "no list names it"),
    "a header for nobody": (lambda f: (f / "src/base/other.hpp").write_text(""), "nothing includes it"),
    "a file that is gone": (lambda f: (f / "src/base/b.cpp").unlink(), "there is no b.cpp"),
    "a folder without a list": (lambda f: (f / "src/base/sources.cmake").unlink(), "is not named"),
    "a comment that names a file": (
        lambda f: (
            (f / "src/named/c.cpp").write_text(""),
            (f / "src/CMakeLists.txt").write_text(EXAMPLE["src/CMakeLists.txt"] + "# named/c.cpp\n"),
        ),
        ".cpp is not named",
    ),
}


def check_the_check():
    wrong = [f"the example is refused: {v}" for v in check_example(EXAMPLE, write)]
    for name, (change, expected) in CHANGES.items():
        found = check_example(EXAMPLE, lambda folder: (write(folder), change(folder)))
        if not found or not all(expected in v for v in found):
            wrong.append(f"{name} gives {found}, not '{expected}'")
    return wrong


def main():
    source = Path(sys.argv[1])
    if "--write" in sys.argv[2:]:
        write(source)
    violations, seen = check(source)
    return report(check_the_check(), violations, seen, 100, "files")


sys.exit(main())
