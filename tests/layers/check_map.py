# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks that what pages point at exists: check_map.py <source folder>

In all pages: paths in backticks, links to files and links to headings. In docs/code.md also names: one that follows a
path is in that file, or in a file of that folder.
"""

import re

from examples import wrong_numbers
from pages import pages_of
from report import run

MAP = "docs/code.md"
BLOCK = re.compile(r"```.*?```", re.DOTALL)
TOKEN = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]+(/[\w.-]+)*(/|\.(hpp|cpp|h|py|md|txt|cmake))")
NAME = re.compile(r"[A-Za-z_]\w*")
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#+\s+(.*?)\s*$", re.MULTILINE)


def found(source, path):
    """The file or folder of a path, which is below the source folder or include/upsweep, or None."""
    return next((p for p in (source / path, source / "include/upsweep" / path) if p.exists()), None)


def text_of(place):
    files = [place] if place.is_file() else sorted(f for f in place.rglob("*") if f.is_file())
    return "\n".join(f.read_text(errors="replace") for f in files)


def check_line(source, where, line, with_names):
    violations, seen, place, path = [], 0, None, ""
    for token in TOKEN.findall(line):
        if PATH.fullmatch(token) and (with_names or "/" in token and token.endswith((".hpp", ".cpp"))):
            seen += 1
            path, place = token, found(source, token)
            if place is None:
                violations.append(f"{where}: there is no {token}")
        elif with_names and NAME.fullmatch(token) and place is not None:
            seen += 1
            if not re.search(rf"\b{token}\b", text_of(place)):
                violations.append(f"{where}: {path} has no {token}")
    return violations, seen


def anchors_of(page):
    """What GitHub calls the headings of a page: small letters, hyphens for spaces, no other signs; the second heading
    of a name has -1 behind it."""
    found = []
    for heading in HEADING.findall(BLOCK.sub("", page.read_text())):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w -]", "", words).replace(" ", "-")
        before = sum(re.fullmatch(rf"{re.escape(name)}(-\d+)?", other) is not None for other in found)
        found.append(f"{name}-{before}" if name in found else name)
    return found


def check_link(page, target, anchor):
    """What is wrong with a link of a page, or None."""
    place = page.parent / target if target else page
    if not place.exists():
        return f"there is no {target} to link to"
    if anchor and (place.suffix != ".md" or anchor not in anchors_of(place)):
        return f"{target or 'the page'} has no heading #{anchor} to link to"
    return None


def check(source):
    violations, seen = [], 0
    for page in pages_of(source):
        where = page.relative_to(source).as_posix()
        text = BLOCK.sub("", page.read_text())
        for line in text.split("\n"):
            more, number = check_line(source, where, line, where == MAP)
            violations += more
            seen += number
        for target, anchor in LINK.findall(text):
            seen += 1
            if wrong := check_link(page, target, anchor):
                violations.append(f"{where}: {wrong}")
    return violations, seen


def check_the_check():
    files = {
        "include/upsweep/scan/a.hpp": "void walk();\n",
        "tests/b.cpp": "int x;\n",
        "README.md": "# Top_1\n[map](docs/code.md)\n",
        "examples/README.md": "[a](a.cpp)\n",
        "examples/a.cpp": "",
    }
    examples = {
        "| a | `scan/a.hpp`: `walk`; tests: `tests/b.cpp` in `tests/` |": 0,
        "| a | `scan/gone.hpp`: `walk` |": 1,
        "| a | `scan/a.hpp`: `wal` |": 1,
        "| a | `walk` without a path, `x` behind `tests/`: `x`, `y` |": 1,
        "[a](gone.md) and [b](../README.md)": 1,
        "# A map: `of`, [files](code.md)\n[a](#a-map-of-files) [b](code.md#a-map-of-files) [c](../README.md#top_1)": 0,
        "# A map\n```\n# Not a heading\n```\n[a](#map) [b](../README.md#a-map) [c](#not-a-heading)": 3,
        "# One\n# One\n[a](#one) [b](#one-1) [c](#one-2) [d](../examples/a.cpp#L1)": 2,
        "```\n`scan/gone.hpp`\n```": 0,
    }
    pages = {line: (number, {**files, MAP: line + "\n"}) for line, number in examples.items()}
    pages["a page of examples"] = (1, {**files, MAP: "", "examples/README.md": "[a](b.cpp)\n"})
    return wrong_numbers(check, pages)


run(check, check_the_check, 80, "paths, names and links")
