# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks perf/compare: check_compare.py <perf folder>"""

import subprocess
import sys
import tempfile
from pathlib import Path

from made_up import COLUMNS, list_results, results


def slower(by, impl="upsweep", n=2**22, operation="exclusive_scan", type="double"):
    return lambda *case: by if case == (impl, operation, type, n) else 1.0


def all_slower(by, impls):
    return lambda impl, *_: by if impl in impls else 1.0


def with_spread(text, spread):
    """As it is written since 2026-11-28."""
    first, *rest = text.splitlines()
    return "".join(line + "\n" for line in [first + ",spread", *(f"{line},{spread}" for line in rest)])


RUN = results()
LISTS = list_results()
# name: (old runs, new runs, exit code, what the output must hold)
SHORTER = "".join(line + "\n" for line in RUN.splitlines() if ",upsweep,inclusive_scan," not in line)
CASES = {
    "the same": ([RUN], [RUN], 0, "20 rows compared, 0 regressions"),
    "a little noise": ([results(1, 0.01)], [results(2, 0.01)], 0, "0 regressions"),
    "much noise": ([results(3, 0.10)], [results(4, 0.10)], 0, "0 regressions"),
    "one row slower": ([RUN], [results(slower=slower(1.2))], 1, "double         4194304"),
    "one row slower, in noise": ([results(5, 0.01)], [results(6, 0.01, slower(1.2))], 1, "compared, 1 regressions"),
    "all of ours slower": ([results(7, 0.01)], [results(8, 0.01, all_slower(1.1, ["upsweep"]))], 1, "20 regressions"),
    "below the floor": ([RUN], [results(slower=slower(1.02))], 0, "0 regressions"),
    "a fall that the noise hides": ([results(9, 0.2)], [results(10, 0.2, slower(1.1))], 0, "0 regressions"),
    "the machine at half its speed": ([RUN], [results(slower=lambda *_: 2.0)], 0, "0 regressions"),
    "a faster copy": ([RUN], [results(slower=slower(0.7, "copy", operation="copy"))], 0, "0 regressions"),
    "a faster peer": ([RUN], [results(slower=all_slower(0.7, ["cub"]))], 0, "0 regressions"),
    "faster": ([RUN], [results(slower=all_slower(0.5, ["upsweep"]))], 0, "0 regressions"),
    "one bad run of three": ([RUN] * 3, [RUN, results(slower=slower(2.0)), RUN], 0, "0 regressions"),
    "rows that are gone": ([RUN], [SHORTER], 0, "10 rows of upsweep are in the old results only"),
    "another machine": ([RUN], [results(machine="other")], 2, "no row of upsweep is in both"),
    "no rows": ([COLUMNS + "\n"], [RUN], 2, "no rows"),
    "nothing": ([""], [RUN], 2, "the columns are not"),
    "other columns": ([RUN.replace("median_us", "mean_us")], [RUN], 2, "the columns are not"),
    "a cut line": ([RUN], [RUN[:-30]], 2, "new0.csv:71: 8 columns, not 11"),
    "no number": ([RUN.replace(",1024,", ",many,", 1)], [RUN], 2, "old0.csv:2: n is 'many'"),
    "a time of nothing": ([RUN.replace(",2.002,", ",0,", 1)], [RUN], 2, "old0.csv:2: median_us is '0'"),
    "spreads": ([RUN], [with_spread(RUN, 0.0123)], 0, "20 rows compared, 0 regressions"),
    "spreads of lists": ([with_spread(LISTS, "")], [LISTS], 0, "24 rows compared, 0 regressions"),
    "no spread": ([RUN], [with_spread(RUN, "wide")], 2, "new0.csv:2: spread is 'wide'"),
    "lists": ([LISTS], [LISTS], 0, "24 rows compared, 0 regressions"),
    "a list slower": (
        [LISTS],
        [list_results(slower(1.3, n=256000, operation="uniform"))],
        1,
        "24 rows compared, 1 regressions",
    ),
    "the plain builder slower": (
        [LISTS],
        [list_results(slower(1.3, "upsweep_plain", 32000, "uniform"))],
        1,
        "upsweep_plain uniform",
    ),
    "a list's peer faster": ([LISTS], [list_results(all_slower(0.7, ["cabana"]))], 0, "0 regressions"),
    "a list's number": ([LISTS.replace(",32000,", ",-1,", 1)], [LISTS], 2, "old0.csv:2: n is '-1'"),
    "lists and scans": ([LISTS], [RUN], 2, "no row of upsweep is in both"),
    "a row twice": ([RUN + RUN.splitlines()[-1] + "\n"], [RUN], 2, "a second row"),
}


def run(program, folder, old, new):
    paths = []
    for side, texts in (("old", old), ("new", new)):
        files = [folder / f"{side}{i}.csv" for i in range(len(texts))]
        for file, text in zip(files, texts):
            file.write_text(text)
        paths.append(",".join(map(str, files)))
    return subprocess.run([sys.executable, program, *paths], capture_output=True, text=True)


def main():
    program = Path(sys.argv[1]) / "compare"
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (old, new, code, expected) in CASES.items():
            done = run(program, Path(folder), old, new)
            if done.returncode != code or expected not in done.stdout + done.stderr:
                failures += 1
                print(f"{name}: exit code {done.returncode}, not {code}, or no '{expected}' in")
                print(done.stdout + done.stderr)
        command = [sys.executable, program, f"{folder}/none.csv", f"{folder}/none.csv"]
        missing = subprocess.run(command, capture_output=True, text=True)
        if missing.returncode != 2 or "No such file" not in missing.stderr:
            failures += 1
            print(f"a missing file: exit code {missing.returncode}\n{missing.stderr}")
    print(f"{len(CASES) + 1} cases, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
