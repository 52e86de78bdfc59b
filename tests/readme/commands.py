# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Reads the commands out of the blocks of a page, and compares what a page shows with what a command prints."""

import re
from typing import NamedTuple, Optional

SHELLS = ("sh", "console")
# Why a block may go unchecked: what no machine that runs the tests has.
NO_TEST = ("needs h5py",)
# What a command begins with; such a line in a block of no language is one that nobody looks at.
BEGINNING = re.compile(r"(\$ |\./dev |upsweep-|cmake |ctest |mpiexec |python3? )", re.MULTILINE)


class Command(NamedTuple):
    where: str  # page and line
    language: str
    text: str
    output: Optional[list]  # the lines that the page shows below it; None: it shows none


def joined(lines):
    """(number, line) with those that end in a backslash joined to the next, without comments and empty ones."""
    waiting = ""
    for number, line in lines:
        if line.endswith("\\"):
            waiting += line[:-1].strip() + " "
            continue
        whole = re.sub(r"(^|\s+)#.*", "", waiting + line.strip())
        waiting = ""
        if whole:
            yield number, whole


def console(block, page):
    found = []
    for number, line in enumerate(block.text.rstrip("\n").split("\n"), block.line):
        if line.startswith("$ "):
            found.append(Command(f"{page}:{number}", "sh", re.sub(r"\s+#.*", "", line[2:]), []))
        elif found:
            found[-1].output.append(line)
    return [command if command.output else command._replace(output=None) for command in found]


def commands_of(page, blocks):
    """The commands of a page in order, and what is wrong with its blocks."""
    found, wrong = [], []
    for block in blocks:
        where = f"{page}:{block.line}"
        if block.note:
            reason = block.note.removeprefix("no-test: ")
            if reason == block.note or reason not in NO_TEST:
                wrong.append(f"{where}: '{block.note}' is no reason to leave a block unchecked")
        elif block.language == "sh":
            lines = enumerate(block.text.rstrip("\n").split("\n"), block.line)
            found += [Command(f"{page}:{number}", "sh", text, None) for number, text in joined(lines)]
        elif block.language == "console":
            found += console(block, page)
        elif block.language == "python":
            found.append(Command(where, "python", block.text, None))
        elif block.language not in ("cpp", "cmake", "toml", "text", "") or (
            block.language in ("", "text") and BEGINNING.search(block.text)
        ):
            wrong.append(f"{where}: a block of '{block.language}'; commands are in blocks of {' or '.join(SHELLS)}")
    return found, wrong


def matches(shown, printed):
    """Whether lines are those that a page shows, in which ... stands for any text, alone in a line for any lines."""
    pattern = ""
    for line in shown:
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ ]*\n"
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None
