# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Finds the processes of a program that a launcher started."""

import os
from pathlib import Path


def ranks_of(parent, program):
    """The processes that run the program: `parent` and its descendants."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                parents[int(entry.name)] = (int(words[1]), os.readlink(entry / "exe"))
            except OSError:
                pass
    family = {parent}
    while len(more := family | {p for p, (of, _) in parents.items() if of in family}) > len(family):
        family = more
    return [p for p in family if p in parents and parents[p][1] == os.path.realpath(program)]
