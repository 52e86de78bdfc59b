# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""The pages of the project, and the fenced blocks in them. For the checks here and those of tests/readme."""

import re
from typing import NamedTuple

FENCE = re.compile(r"\s*```+\s*(.*?)\s*$")


class Block(NamedTuple):
    line: int  # of its first line of text
    language: str
    note: str  # what follows the language behind the opening fence
    text: str


def pages_of(source):
    """README.md, docs/, and the pages that lie beside what they describe."""
    folders = ("examples", "perf", "tests", "tools", "data")
    beside = sorted(page for folder in folders for page in (source / folder).rglob("*.md"))
    return [source / "README.md", *sorted((source / "docs").glob("*.md")), *beside]


def blocks_of(text):
    """All fenced blocks, in order."""
    found, lines = [], None
    for number, line in enumerate(text.split("\n"), 1):
        fence = FENCE.match(line)
        if lines is None and fence:
            language, _, note = fence[1].partition(" ")
            lines, start = [], number + 1
        elif fence and not fence[1]:
            found.append(Block(start, language.lower(), note.strip(), "".join(f"{each}\n" for each in lines)))
            lines = None
        elif lines is not None:
            lines.append(line)
    return found
