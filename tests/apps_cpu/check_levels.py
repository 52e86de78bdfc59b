#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""The table of what programs ask the CPU for has all that -march=x86-64-v3 and -v4 let the compiler use.

usage: check_levels.py COMPILER FEATURES_HEADER
"""

import re
import subprocess
import sys

# What every CPU with AVX has, what is no instruction set, and those that no compiler uses unasked.
OTHERS = re.compile(
    "__(CRC32|LAHF_SAHF|XSAVE|GCC_HAVE_SYNC_COMPARE_AND_SWAP_16|FP_FAST_FMA.*|EVEX(256|512)|AVX10.*)_*$"
)


def macros(compiler, *words):
    text = subprocess.run([compiler, *words, "-dM", "-E", "-x", "c++", "-"], input="", capture_output=True, text=True,
                          check=True).stdout  # fmt: skip
    return dict(re.findall(r"^#define (\w+) (.*)$", text, re.MULTILINE))


def main():
    compiler, header = sys.argv[1:]
    # The table as this compiler sees it.
    with open(header, encoding="utf-8") as file:
        text = file.read() + "\nAPPS_CPU_FEATURES(APPS_ROW)\n"
    rows = subprocess.run([compiler, "-march=x86-64", "-E", "-P", "-x", "c++", "-"], input=text, capture_output=True,
                          text=True, check=True).stdout  # fmt: skip
    table = set(re.findall(r"APPS_ROW\((\w+),", rows))
    plain = macros(compiler, "-march=x86-64")
    # Clang does not ask for these before version 19 (the header says so).
    table |= {"__LZCNT__", "__MOVBE__", "__F16C__"} if int(plain.get("__clang_major__", "19")) < 19 else set()
    missing = set()
    for level in ("x86-64-v3", "x86-64-v4"):
        defined = macros(compiler, "-march=" + level)
        new = {name for name, value in defined.items() if value == "1" and name not in plain}
        assert "__FMA__" in new and "__FMA__" in table, (level, new, table)
        missing |= {name for name in new - table if not OTHERS.match(name)}
    print(" ".join(sorted(missing)) or "all are in the table")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
