# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks that public headers have tests: check_test_table.py <source folder>

A public header include/upsweep/<layer>/x.hpp has tests/<layer>/x.cpp (tests/io_mpi for io/mpi), or a row in the last
table of tests/README.md that names its tests. A row is for headers that exist, names files that exist, and stands there
for no header alone that has a file of its name. A '*' stands for all headers of a folder.
"""

import fnmatch
import re
from pathlib import Path

from examples import wrong_numbers
from report import run

ROW = re.compile(r"^\| `([\w./*]+\.hpp)` \|([^|]*)\|$", re.MULTILINE)
TEST = re.compile(r"`([^`]+)`")
NOT_PUBLIC = {"detail", "internal"}


def own_test(header):
    """The test of a header's name; none for those of include/upsweep itself."""
    layer = "_".join(header.parent.parts)
    return Path("tests", layer, header.with_suffix(".cpp").name) if layer else None


def check(source):
    below = source / "include" / "upsweep"
    headers = [h.relative_to(below) for h in sorted(below.rglob("*.hpp"))]
    headers = [h for h in headers if not NOT_PUBLIC & set(h.parts)]
    alone = [h for h in headers if (own := own_test(h)) is None or not (source / own).is_file()]
    page = source / "tests" / "README.md"
    rows = ROW.findall(page.read_text()) if page.is_file() else []
    violations, in_rows = [], set()
    for pattern, tests in rows:
        meant = [h for h in headers if fnmatch.fnmatch(str(h), pattern) and h.parent == Path(pattern).parent]
        in_rows.update(meant)
        if not meant:
            violations.append(f"tests/README.md: there is no header {pattern}")
        elif not set(meant) & set(alone):
            violations.append(f"tests/README.md: {pattern} has {own_test(meant[0])} and needs no row")
        named = TEST.findall(tests)
        if not named:
            violations.append(f"tests/README.md: the row of {pattern} names no test")
        violations += [f"tests/README.md: there is no {test}" for test in named if not (source / test).is_file()]
    violations += [
        f"include/upsweep/{h}: no {own_test(h) or 'test'} and no row in tests/README.md"
        for h in alone
        if h not in in_rows
    ]
    return violations, len(headers)


def check_the_check():
    files = {
        "include/upsweep/scan/a.hpp": "",
        "include/upsweep/scan/detail/b.hpp": "",
        "include/upsweep/io/mpi/c.hpp": "",
        "include/upsweep/team/d.hpp": "",
        "include/upsweep/team/e.hpp": "",
        "include/upsweep/all.hpp": "",
        "tests/scan/a.cpp": "",
        "tests/io_mpi/c.cpp": "",
        "tests/team/f.cpp": "",
    }
    good = "| `team/*.hpp` | `tests/team/f.cpp` |\n| `all.hpp` | `tests/scan/a.cpp`, `tests/team/f.cpp` |\n"
    examples = {
        "good": (0, good),
        "without a table": (3, ""),
        "a header that is gone": (1, good + "| `scan/gone.hpp` | `tests/scan/a.cpp` |\n"),
        "a test that is gone": (1, good.replace("`tests/scan/a.cpp`", "`tests/scan/gone.cpp`")),
        "a row without tests": (1, good.replace("`tests/team/f.cpp` |\n", "none |\n", 1)),
        "a needless row": (1, good + "| `scan/a.hpp` | `tests/scan/a.cpp` |\n"),
    }
    pages = {name: (number, {**files, "tests/README.md": text}) for name, (number, text) in examples.items()}
    return wrong_numbers(check, pages)


run(check, check_the_check, 80, "headers")
