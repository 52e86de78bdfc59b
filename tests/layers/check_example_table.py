# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks that examples are complete: check_example_table.py <source folder>

Every numbered program of examples/ has one row in the table of examples/README.md, whose calls are all in the program,
a file in examples/expected/ with what it prints, and 40 to 140 lines. The table and that folder name no other program.
"""

import re

from examples import wrong_numbers
from report import run

ROW = re.compile(r"^\| \[(\w+)\]\((\w+\.(?:cpp|py))\) \|[^|]*\|([^|]*)\|[^|]*\|$", re.MULTILINE)
NAME = re.compile(r"`([a-z_]+)`")
SHORTEST, LONGEST = 40, 140


def check(source):
    folder = source / "examples"
    files = sorted(f for f in folder.glob("[0-9][0-9]_*") if f.suffix in (".cpp", ".py"))
    programs = {f.stem: f.read_text() for f in files}
    table = folder / "README.md"
    rows = ROW.findall(table.read_text()) if table.exists() else []
    named = [name for name, _, _ in rows]
    printed = [f.stem for f in (folder / "expected").glob("*")]
    links = {f.stem: f.name for f in files}
    violations = [
        f"examples/README.md: {name} links to {link}" for name, link, _ in rows if link != links.get(name, link)
    ]
    if named != sorted(named):
        violations.append("examples/README.md: rows are not in the order of their numbers")
    for place, names in (("README.md", named), ("expected", printed)):
        violations += [f"examples/{place}: there is no program {name}" for name in set(names) - set(programs)]
        violations += [f"examples/{place}: {name} is not there once" for name in programs if names.count(name) != 1]
    for name, text in programs.items():
        lines = text.count("\n")
        if not SHORTEST <= lines <= LONGEST:
            violations.append(f"examples/{links[name]}: {lines} lines, not {SHORTEST} to {LONGEST}")
    for name, _, calls in rows:
        for call in NAME.findall(calls):
            if not re.search(rf"\b{call}\b", programs.get(name, call)):
                violations.append(f"examples/README.md: {name} does not call {call}")
    return violations, len(programs)


def check_the_check():
    row = "| [01_a](01_a.cpp) | a scan | `scan`, `mpi` | slides |\n"
    code = "mpi::scan(a);\n" * 40
    good = {"examples/01_a.cpp": code, "examples/README.md": row, "examples/expected/01_a.txt": "1\n"}
    examples = {
        "good": (0, {}),
        "no row": (1, {"examples/README.md": "| [b](b.cpp) |\n"}),
        "two rows": (1, {"examples/README.md": row + row}),
        "a row for nobody": (1, {"examples/README.md": row + row.replace("01_a", "02_b")}),
        "a link to another": (1, {"examples/README.md": row.replace("(01_a", "(01_b")}),
        "a call that is not made": (1, {"examples/01_a.cpp": code.replace("scan", "scans")}),
        "Python": (
            0,
            {
                "examples/02_b.py": code,
                "examples/expected/02_b.txt": "",
                "examples/README.md": row + row.replace("01_a", "02_b").replace(".cpp", ".py"),
            },
        ),
        "nothing expected": (1, {"examples/02_b.cpp": code, "examples/README.md": row + row.replace("01_a", "02_b")}),
        "short": (1, {"examples/01_a.cpp": "mpi::scan(a);\n" * 39}),
        "long": (1, {"examples/01_a.cpp": "mpi::scan(a);\n" * (LONGEST + 1)}),
        "out of order": (
            1,
            {
                "examples/02_b.cpp": code,
                "examples/expected/02_b.txt": "",
                "examples/README.md": row.replace("01_a", "02_b") + row,
            },
        ),
    }
    return wrong_numbers(check, {name: (number, {**good, **files}) for name, (number, files) in examples.items()})


run(check, check_the_check, 20, "examples")
