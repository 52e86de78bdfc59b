# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks what a compiler does not: check_style.py <source folder>

No file above 500 lines, two licence lines on top of every source, no line of C++, CMake, Python or Markdown above 120
columns but for tables and links; in the library and the programs no fence of everything, no function that reads
numbers as the caller's locale writes them, and no member that nvcc lays out in two ways; names of tests in small
letters with underscores.
"""

import re

from examples import wrong_numbers
from report import run

FOLDERS = ["include", "src", "apps", "tests", "perf", "examples", "cmake", "tools", "docs"]
TOP_FILES = ["CMakeLists.txt", "CMakePresets.json", "README.md", "dev", ".ci/run"]
SOURCES = {".hpp", ".cpp", ".h", ".cmake", ".in", ".py", ".sh", ".gp", ".plt"}
TEXTS = SOURCES | {".md", ".json", ".txt", ".csv", ""}
LICENCE = [
    "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
    "SPDX-FileCopyrightText: The Upsweep authors",
]
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.DOTALL)
# They also stop at the first character that is no number and go on; std::from_chars shows where it stopped.
LOCALE_READERS = re.compile(
    r'\b(strto(d|f|ld|l|ll|ul|ull|imax|umax)|ato(f|i|l|ll)|sto(d|f|ld|i|l|ll|ul|ull)|v?[fs]?scanf)\s*\('
)
LIMITED = {".hpp", ".cpp", ".cmake", ".in", ".py", ".md"}
TABLE_OR_LINK = re.compile(r"\s*\||.*(\]\(|https?://)")
# nvcc 13 gives such members a place of their own in device code: kernels then have other parameters than their callers.
OVERLAPPING_MEMBER = re.compile(r'\bno_unique_address\b')
TEST_NAMES = re.compile(r'^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\((\w+),\s*(\w+)\)', re.MULTILINE)
GLOBAL_FENCE = re.compile(r'\bKokkos\s*::\s*fence\s*\(')


def is_source(path):
    return path.suffix in SOURCES or path.name in ("CMakeLists.txt", "dev", "run")


def files_of(source):
    for folder in FOLDERS:
        yield from sorted(f for f in (source / folder).rglob("*") if f.is_file() and "__pycache__" not in f.parts)
    yield from (source / name for name in TOP_FILES if (source / name).is_file())


def check(source):
    violations, seen = [], 0
    for file in files_of(source):
        if file.suffix not in TEXTS:
            continue
        seen += 1
        where = file.relative_to(source)
        text = file.read_text()
        lines = text.split("\n")
        # Results of a measurement may be as long as they are.
        if len(lines) > 501 and file.suffix != ".csv":
            violations.append(f"{where}: {len(lines) - 1} lines, more than 500")
        if file.suffix in LIMITED or file.name == "CMakeLists.txt":
            for number, line in enumerate(lines, 1):
                if len(line) > 120 and not (file.suffix == ".md" and TABLE_OR_LINK.match(line)):
                    violations.append(f"{where}:{number}: {len(line)} columns, more than 120")
        if is_source(file) and not all(any(wanted in line for line in lines[:4]) for wanted in LICENCE):
            violations.append(f"{where}: the two SPDX lines are missing")
        for name in (name for names in TEST_NAMES.findall(text) for name in names if name != name.lower()):
            violations.append(f"{where}: the name {name} of a test has capital letters")
        if where.parts[0] not in ("include", "src", "apps"):
            continue
        code = COMMENT.sub("", text)
        if GLOBAL_FENCE.search(code):
            violations.append(f"{where}: Kokkos::fence() waits for everything; fence the execution space instance")
        if OVERLAPPING_MEMBER.search(code):
            violations.append(f"{where}: nvcc lays out [[no_unique_address]] differently in device code; leave it out")
        if found := LOCALE_READERS.search(code):
            violations.append(f"{where}: {found[1]}() depends on the locale and takes half a word; use from_chars")
    return violations, seen


def check_the_check():
    head = "".join(f"// {line}\n" for line in LICENCE)
    examples = {
        "good": (0, "src/a.cpp", head + "// never Kokkos::fence()\nspace.fence();\n"),
        "long": (1, "src/a.cpp", head + "\n" * 500),
        "wide": (1, "src/a.cpp", head + "//" + " x" * 60 + "\n"),
        "as wide as allowed": (0, "tests/CMakeLists.txt", head.replace("//", "#") + "#" * 120 + "\n"),
        "wide page": (1, "docs/a.md", "word " * 30),
        "wide table and link": (0, "docs/a.md", "| cell " * 30 + "\n[" + "word " * 30 + "](a.md)\n"),
        "bare": (1, "tests/a.cpp", "int a;\n"),
        "scan": (1, "src/a.cpp", head + "double x = std::strtod(text, &end);\n"),
        "stod": (1, "include/upsweep/a.hpp", head + "double x = std::stod (text);\n"),
        "custom": (0, "src/a.cpp", head + "history.stop(1); restore(x); // strtod(x) no\n"),
        "test": (0, "tests/a.cpp", head + "int x = std::stoi(text);\n"),
        "names": (0, "tests/a.cpp", head + "TEST(sums, are_exact) {}\n"),
        "capitals": (2, "tests/a.cpp", head + "TEST(Sums, are_exact) {}\nTEST_F(sums,\n    AreExact) {}\n"),
        "overlap": (1, "include/upsweep/a.hpp", head + "[[no_unique_address]] T x;\n"),
        "fence": (1, "include/upsweep/a.hpp", head + 'Kokkos::fence("x");\n'),
    }
    return wrong_numbers(check, {name: (number, {path: text}) for name, (number, path, text) in examples.items()})


run(check, check_the_check, 20, "files")
