# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks that C++ files are as clang-format lays them out: check_format.py <source folder>

Versions lay out code differently, so only those count that agree on this tree; the default environment of ./dev has one
of them. Where there is another or none, the check is skipped (exit code 77).
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from report import report

VERSIONS = [21, 22, 23]
FOLDERS = ["include", "src", "apps", "tests", "perf", "examples"]


def clang_format():
    for name in ["clang-format", *(f"clang-format-{version}" for version in VERSIONS)]:
        if path := shutil.which(name):
            said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
            if (version := re.search(r"version (\d+)\.", said)) and int(version[1]) in VERSIONS:
                return path
    return None


def unformatted(program, source, files):
    """Those of the files, whose paths are relative to `source`, that the program would change."""
    done = subprocess.run([program, "--dry-run", "--style=file", *files], capture_output=True, text=True, cwd=source)
    if done.returncode != 0:
        sys.exit(done.stderr)
    warning = re.compile(r"^(.*?):\d+:\d+: warning: code should be clang-formatted", re.MULTILINE)
    return sorted(set(warning.findall(done.stderr)))


def check_the_check(program):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "good.cpp").write_text("int a;\n")
        (Path(folder) / "bad.cpp").write_text("int  a ;\n")
        found = unformatted(program, Path(folder), ["good.cpp", "bad.cpp"])
    return [] if found == ["bad.cpp"] else [f"of the examples good.cpp and bad.cpp these are refused: {found}"]


def main():
    source = Path(sys.argv[1]).resolve()
    program = clang_format()
    if program is None:
        print(f"skipped: there is no clang-format of versions {VERSIONS}")
        return 77
    files = [f for folder in FOLDERS for f in sorted((source / folder).rglob("*")) if f.suffix in (".hpp", ".cpp")]
    files = [str(f.relative_to(source)) for f in files]
    wrong = unformatted(program, source, files)
    violations = [f"{name}: not as {program} lays it out" for name in wrong]
    return report(check_the_check(program), violations, len(files), 100, "files")


sys.exit(main())
