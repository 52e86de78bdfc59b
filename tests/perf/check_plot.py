# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks perf/plot: check_plot.py <perf folder>; 77 where there is no gnuplot"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from made_up import IMPLS, LIST_IMPLS, TYPES, WORKLOADS, list_results, results


def main():
    if shutil.which("gnuplot") is None:
        print("no gnuplot")
        return 77
    program = Path(sys.argv[1]) / "plot"
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        csv, svg = folder / "made-up-scan.csv", folder / "it's.svg"
        csv.write_text(results(machine="it's 1_up"))

        def run(*arguments):
            return subprocess.run([sys.executable, program, *map(str, arguments)], capture_output=True, text=True)

        for more in ([], ["--logscale"], ["--operation", "inclusive_scan", "--types", "double"]):
            done = run(csv, svg, *more)
            if done.returncode != 0 or done.stderr:
                failures.append(f"{more}: exit code {done.returncode}\n{done.stderr}")
                continue
            words = " ".join(ElementTree.parse(svg).getroot().itertext())
            wanted = [*IMPLS, "it's 1_up", *(["double"] if "--types" in more else TYPES)]
            failures += [f"{more}: '{word}' is not in the figure" for word in wanted if word not in words]
            if "--types" in more and "int32" in words:
                failures.append("--types double draws int32")
            svg.unlink()
        lists = folder / "made-up-neighbors.csv"
        lists.write_text(list_results())
        done = run(lists, svg)
        if done.returncode != 0 or done.stderr:
            failures.append(f"lists: exit code {done.returncode}\n{done.stderr}")
        else:
            words = " ".join(ElementTree.parse(svg).getroot().itertext())
            # A copy of the list has no pairs a second worth a line.
            wanted = [*(set(LIST_IMPLS) - {"copy"}), "pairs/s"]
            wanted += [f"{workload} {type}" for workload in WORKLOADS for type in ("float", "double")]
            failures += [f"lists: '{word}' is not in the figure" for word in wanted if word not in words]
            svg.unlink()

        for arguments in (
            [csv, svg, "--operation", "none"],
            [csv, svg, "--types", "none"],
            [folder / "none", svg],
            [csv, folder / "no" / "x.svg"],
        ):
            done = run(*arguments)
            if done.returncode != 2 or not done.stderr.startswith("perf/plot: "):
                failures.append(f"{arguments}: exit code {done.returncode}, not 2\n{done.stderr}")
    print("\n".join(failures + [f"{len(failures)} failures"]))
    return 1 if failures else 0


sys.exit(main())
