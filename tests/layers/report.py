# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""What the checks of this folder print, and their exit codes."""

import sys
from pathlib import Path


def report(wrong, violations, seen, least, what):
    """Prints what is wrong with the check itself and what it found. Returns the exit code: 0 only where both are empty
    and at least `least` things were seen."""
    if seen < least:
        wrong = wrong + [f"only {seen} {what} were found"]
    for line in wrong + violations:
        print(line)
    print(f"{seen} {what}, {len(violations)} violations")
    return 1 if wrong or violations else 0


def run(check, check_the_check, least, what):
    """A whole program: checks the folder that it is called with. check(folder) returns violations and how many things
    were seen, check_the_check() what is wrong with the check itself."""
    violations, seen = check(Path(sys.argv[1]).resolve())
    sys.exit(report(check_the_check(), violations, seen, least, what))
