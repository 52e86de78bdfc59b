#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Options that mean the same have the same name and text in all programs that read points.

usage: check_shared_options.py FOLDER_OF_PROGRAMS
"""

import re
import subprocess
import sys
from pathlib import Path

PROGRAMS = ("upsweep-nbody", "upsweep-clusters", "upsweep-surface", "upsweep-interpolate")
ALIKE = ("config", "version", "atom-style", "open", "report", "no-progress")
# A program says more, or takes more: the same begin.
BEGIN_ALIKE = {
    "input": "Points: a LAMMPS data or extended XYZ (.xyz, .extxyz) file, plain or .gz, or a NumPy file (n, ",
    "box": "Lengths of the periodic box of a NumPy file, and how far its edges lean",
    "force": "Replace files that are not of this program",
}


# Name, kind of value, default, and what goes with it.
HEAD = re.compile(
    r"(?:-h, ?)?--([\w-]+)( [A-Z][A-Z,[\]]*(?= |$))?( \[[^]]*\])?( REQUIRED)?( (?:Needs|Excludes):( --[\w-]+)+)* ?"
)


def texts(program):
    """{option: its text}, without its kind of value, default and what it needs."""
    shown = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=60, check=True).stdout
    found = {}
    options = re.split(r"\n(?:OPTIONS|Options):", shown, maxsplit=1)[1].split("\n\n", 1)[0]
    # CLI11 puts names behind 10 spaces, before 2.4 behind 2.
    for entry in re.split(r"\n(?= {2}(?:-h, *)?--| {10}--)", options)[1:]:
        words = " ".join(entry.split())
        head = HEAD.match(words)
        found[head[1]] = words[head.end() :]
    return found


def main():
    folder = Path(sys.argv[1]).resolve()
    all_texts = {name: texts(folder / name) for name in PROGRAMS if (folder / name).exists()}
    first = all_texts["upsweep-nbody"]
    for program, found in all_texts.items():
        for option in ALIKE:
            assert found[option] == first[option] != "", (program, option, found.get(option))
        for option, begin in BEGIN_ALIKE.items():
            assert found[option].startswith(begin), (program, option, found.get(option))


if __name__ == "__main__":
    main()
