# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks that objects which programs with macros of their own link do not depend on these: check_macros.py <folder>

A program may define a macro that changes code of headers (cmake/UpsweepMacros.cmake names them), and then links only
objects of the library whose sources see no such header: two definitions of one function would break the
one-definition rule, of which no linker complains. These are all sources of these folders but the compiled lists,
pairs and steps of packing.
"""

import re

from examples import tree_of
from report import run

FOLDERS = [
    "src/base", "src/scan", "src/pack", "src/neighbors", "src/neighbors/masks", "src/io", "src/io/lammps",
    "apps/support"
]  # fmt: skip
COMPILED_LISTS = re.compile(r"(neighbors|pack)/(lists|pairs|batches)_\w+\.cpp$")
MACROS_FILE = "cmake/UpsweepMacros.cmake"
MACROS = re.compile(r"set\(UPSWEEP_CODE_MACROS ([\w ]+)\)")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)


def includes(source, file):
    """The files of ours that one includes."""
    for name in INCLUDE.findall(file.read_text()):
        for place in (source / "include" / name, file.parent / name):
            if place.is_file():
                yield place.resolve()
                break


def way_to_macro(source, file, macros, seen):
    """The files from this one to one in which a macro decides, each included by the last; none where there is none."""
    if file in seen:
        return []
    seen.add(file)
    if re.search(rf"^[ \t]*#.*\b({'|'.join(macros)})\b", file.read_text(), re.MULTILINE):
        return [file]
    for included in includes(source, file):
        way = way_to_macro(source, included, macros, seen)
        if way:
            return [file] + way
    return []


def check(source):
    source = source.resolve()
    macros = MACROS.search((source / MACROS_FILE).read_text())[1].split()
    files = [f for folder in FOLDERS for f in sorted((source / folder).glob("*.cpp"))]
    files = [f for f in files if not COMPILED_LISTS.search(f.as_posix())]
    violations = []
    for file in files:
        way = way_to_macro(source, file, macros, set())
        if way:
            names = " includes ".join(str(f.relative_to(source)) for f in way)
            violations.append(f"{names}, which depends on {' or '.join(macros)}")
    return violations, len(files)


EXAMPLE = {
    MACROS_FILE: "set(UPSWEEP_CODE_MACROS UPSWEEP_A UPSWEEP_B)\n",
    "include/upsweep/base/a.hpp": "#if defined(UPSWEEP_B)\n#endif\n",
    "include/upsweep/base/b.hpp": "// UPSWEEP_A\n#define UPSWEEP_AB\n",
    "include/upsweep/scan/c.hpp": "#pragma once\n#include <upsweep/scan/c.hpp>\n#include <upsweep/base/a.hpp>\n",
    "src/neighbors/lists_float.cpp": "#include <upsweep/base/a.hpp>\n",
    "src/scan/good.cpp": "#include <vector>\n#include <upsweep/base/b.hpp>\n",
    "src/scan/bad.hpp": "#include <upsweep/scan/c.hpp>\n",
}


def check_the_check():
    wrong = []
    for text, expected in (("", 0), ('#include "bad.hpp"\n', 1)):
        with tree_of({**EXAMPLE, "src/scan/bad.cpp": text}) as folder:
            found = check(folder)[0]
        if len(found) != expected:
            wrong.append(f"the example with {text!r} gives {found}, not {expected} violations")
    return wrong


run(check, check_the_check, 20, "sources")
