# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Compiles the code that all pages show, against the installed package.

check_readme.py --source DIR --package PREFIX --folder WORK --head fragments.hpp -- cmake -G Ninja ...

A `cpp` block with a main function is built as a program, another one with an #include is compiled as a file of its own.
Blocks without an #include are fragments: those of a page are compiled as one file, behind the head. A fragment that
defines a type is used as it is, another one as the body of a function, where names_of_<page>.inc has declared what the
page's text names. A `cmake` block of the README is the CMakeLists.txt of a project; what it takes for granted is added:
the project() call, the sources that it names, a program that it links but does not define, and the source tree where it
says add_subdirectory(). Projects that contain the source tree are compiled without the library and not linked (with
Ninja).
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "layers"))
from pages import blocks_of, pages_of

HEAD = "cmake_minimum_required(VERSION 3.23)\nproject(readme LANGUAGES CXX)\n"


def has_main(code):
    return re.search(r"\bint\s+main\s*\(", code) is not None


def is_fragment(code):
    return re.search(r"^#include", code, re.MULTILINE) is None


def file_of_fragments(page, blocks, head):
    """One file of a page's fragments: types first, since functions use them."""
    names = HERE / f"names_of_{page.stem}.inc"
    known = f'#include "{names}"\n' if names.exists() else ""
    types, bodies = "", ""
    for line, code in blocks:
        placed = f'#line {line} "{page.name}"\n{code}'
        if re.match(r"(template|struct|class|using|namespace)\b", code):
            types += placed
        else:
            bodies += f"void fragment_{line}() {{\n{known}{{\n{placed}}}\n}}\n"
    return f'#include "{head.resolve()}"\n{types}{bodies}'


def cpp_files(source, head):
    """{name of a file: text} of all cpp blocks."""
    files = {}
    for page in pages_of(source):
        name = "_".join(page.relative_to(source).with_suffix("").parts)
        blocks = [(block.line, block.text) for block in blocks_of(page.read_text()) if block.language == "cpp"]
        fragments = [(line, code) for line, code in blocks if is_fragment(code)]
        if fragments:
            files[f"{name}_fragments"] = file_of_fragments(page, fragments, head)
        for line, code in blocks:
            if not is_fragment(code):
                files[f"{name}_{line}"] = f'#line {line} "{page.name}"\n{code}'
    return files


def cpp_project(folder, files):
    text = HEAD + "find_package(Upsweep REQUIRED COMPONENTS mpi io)\n"
    for name, code in files.items():
        (folder / f"{name}.cpp").write_text(code)
        kind = "add_executable({0} {0}.cpp)" if has_main(code) else "add_library({0} OBJECT {0}.cpp)"
        text += kind.format(name) + f"\ntarget_link_libraries({name} PRIVATE Upsweep::mpi Upsweep::io)\n"
    (folder / "CMakeLists.txt").write_text(text)


def cmake_project(folder, code, program, source):
    """A project around one cmake block; `program` is the first program of the README."""
    stripped = re.sub(r"#.*", "", code)
    defined = set(re.findall(r"add_(?:executable|library)\s*\(\s*([\w.-]+)", stripped))
    linked = re.findall(r"target_link_libraries\s*\(\s*([\w.-]+)", stripped)
    before = "" if re.search(r"\bproject\s*\(", stripped) else HEAD
    for target in dict.fromkeys(linked):
        if target not in defined:
            before += f"add_executable({target} main_of_readme.cpp)\n"
    for name in {"main_of_readme.cpp"} | set(re.findall(r"[\w./-]+\.cpp\b", stripped)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(program)
    for name in re.findall(r"add_subdirectory\s*\(\s*\"?([\w./-]+)", stripped):
        link = folder / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(source, target_is_directory=True)
    (folder / "CMakeLists.txt").write_text(before + code)


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print(" ".join(map(str, command)), done.stdout, sep="\n")
    return done.returncode == 0


def own_objects(folder, cmake):
    """The object files of the project itself, without those of the library's source tree in it."""
    command = [cmake[0], "--build", folder / "build", "--", "-t", "targets", "all"]
    listed = subprocess.run(command, capture_output=True, text=True)
    names = [line.split(":")[0] for line in listed.stdout.splitlines()]
    return [name for name in names if name.startswith("CMakeFiles/") and name.endswith(".o")]


def build(folder, cmake, package, source, links=True):
    configure = cmake + ["-S", folder, "-B", folder / "build", f"-DUpsweep_ROOT={package}"]
    # Nothing here is run, so nothing is optimised: that the code compiles and links is the same without.
    configure += ["-DCMAKE_BUILD_TYPE=", f"-DFETCHCONTENT_SOURCE_DIR_UPSWEEP={source}"]
    if not run(configure):
        return False
    targets = []
    if not links and "Ninja" in cmake:
        objects = own_objects(folder, cmake)
        if not objects:
            print(f"{folder}: no object files")
            return False
        targets = ["--target", *objects]
    return run([cmake[0], "--build", folder / "build", *targets])


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "package", "folder", "head"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("cmake", nargs="+")
    arguments = parser.parse_args()

    readme = blocks_of((arguments.source / "README.md").read_text())
    cmake = [(block.line, block.text) for block in readme if block.language == "cmake"]
    programs = [block.text for block in readme if block.language == "cpp" and has_main(block.text)]
    files = cpp_files(arguments.source, arguments.head)
    print(f"{len(files)} files of cpp blocks ({len(programs)} programs of the README), {len(cmake)} cmake blocks")
    if not programs or not cmake:
        print("the README shows no program, or no use from CMake")
        return 1

    shutil.rmtree(arguments.folder, ignore_errors=True)
    failed = []
    folder = arguments.folder / "cpp"
    folder.mkdir(parents=True)
    cpp_project(folder, files)
    if not build(folder, arguments.cmake, arguments.package, arguments.source):
        failed.append("the cpp blocks")
    for line, code in cmake:
        folder = arguments.folder / f"cmake_{line}"
        folder.mkdir()
        cmake_project(folder, code, programs[0], arguments.source)
        # With the source tree inside, the project is configured and its own files are compiled; the test
        # consume_subdirectory builds such a project whole, with the library.
        links = not re.search(r"add_subdirectory|FetchContent", code)
        if not build(folder, arguments.cmake, arguments.package, arguments.source, links):
            failed.append(f"the cmake block at line {line} of README.md")
    for what in failed:
        print(f"{what} failed")
    return 1 if failed else 0


sys.exit(main())
