# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks perf/tables with stand-ins of upsweep-perf: check_tables.py <perf folder>"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

TABLES = Path(sys.argv[1]) / "tables"
sys.path.append(sys.argv[1])
import results_csv
import table_list

CPU = {"revision": "abc", "machine": "Quick(R) CPU", "backend": "OpenMP", "threads": "2", "implementations": "tbb"}
GPU = {**CPU, "machine": "NVIDIA H100", "backend": "Cuda", "cub": "3.6.0", "implementations": "cabana arborx upsweep"}
# Describes itself by its .json, and writes a row of each type; `how` says what goes wrong: {type: exit code or "hang"}.
PROGRAM = """#!{python}
import json, sys, time
from pathlib import Path
here = Path(__file__)
facts, how = json.loads(here.with_suffix(".json").read_text())
if sys.argv[1:] == ["--describe"]:
    print(*(f"{{name}}: {{value}}" for name, value in facts.items()), sep="\\n")
    sys.exit()
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(here.with_suffix(".calls"), "a") as calls:
    print(json.dumps(given), file=calls)
if "--csv" not in given:
    sys.exit(how.get("quiet", 0))
code = how.get(given["--types"], 0)
if code == "hang":
    time.sleep(60)
table, columns = given["--benchmarks"], {columns}
columns = columns[table == "neighbors"]
if code in (0, 1, 3):
    row = {{name: "1" for name in columns}}
    row |= {{"date": "2026-01-02", "git": given["--git"], "machine": given["--machine"], "type": given["--types"]}}
    row |= {{"workload": given.get("--workloads", "")}}
    row |= {{"n": given.get("--sizes", "1")[-2:]}}
    text = ",".join(columns) + "\\n" + ",".join(row[name] for name in columns) + "\\n"
    Path(f"{{given['--csv']}}-{{table}}.csv").write_text(text)
sys.exit(3 if code == "no row" else code)
"""
failures = []


def expect(good, what, done):
    if not good:
        failures.append(f"{what}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


class Machine:
    """A folder with a program a build, and what perf/tables makes there."""

    def __init__(self, folder, card, facts):
        self.folder, self.card, self.builds = folder, card, list(facts)
        (folder / "results").mkdir(parents=True)
        for name in facts:
            columns = repr((results_csv.COLUMNS, results_csv.LIST_COLUMNS))
            (folder / name).write_text(PROGRAM.format(python=sys.executable, columns=columns))
            (folder / name).chmod(0o755)
            self.prepare(name, facts[name])

    def prepare(self, name, facts, **how):
        path = self.folder / name
        path.with_suffix(".json").write_text(json.dumps([facts, how]))
        path.with_suffix(".calls").write_text("")

    def calls(self, name):
        """What was measured since prepare(), without the calibration."""
        lines = (self.folder / name).with_suffix(".calls").read_text().splitlines()
        return [call for call in map(json.loads, lines) if "--csv" in call]

    def run(self, *options):
        command = [sys.executable, TABLES, self.card]
        command += ["--parts", self.folder / "parts", "--results", self.folder / "results"]
        for name in self.builds:
            command += ["--program", f"{name}={self.folder / name}"]
        return subprocess.run([*map(str, command), *options], capture_output=True, text=True)

    def results(self):
        return sorted(path.name for path in (self.folder / "results").iterdir())


def check_parts(folder):
    """Parts that fail or are noisy are named, and the next call goes on with what is missing."""
    machine = Machine(folder, "cpu", {"cpu": CPU})
    scans = [part for part in table_list.PARTS["cpu"] if part.table == "scan"]
    machine.prepare("cpu", CPU, float=1)
    done = machine.run("--tables", "scan")
    expect(done.returncode == 1 and "cpu-scan-float-small.csv was not written" in done.stderr, "a wrong result", done)
    expect(machine.results() == [], "a table without all parts", done)
    before = len(machine.calls("cpu"))
    machine.prepare("cpu", CPU, double=3)
    done = machine.run("--tables", "scan")
    expect(len(machine.calls("cpu")) == len(scans) - before + 1, "parts that are there measured again", done)
    expect(done.returncode == 0 and "cpu-scan-double-small.csv: 1 rows" in done.stdout, "parts that are left", done)
    expect("remove" in done.stdout and "double-small.csv to measure it again" in done.stdout, "noisy rows", done)
    name = "quick-r-cpu-2-threads-2026-01-02-scan.csv"
    expect(machine.results() == [name], "the table alone, without what is half written", done)
    rows = results_csv.read(folder / "results" / name).rows
    expect(len(rows) == len(scans) and {row.machine for row in rows} == {"Quick(R) CPU 2 threads"}, "its rows", done)
    expect(all(call["--spread"] == "10" and call["--rounds"] == "3" for call in machine.calls("cpu")), "rounds", done)

    # Of a part without any steady row there is no file.
    machine.prepare("cpu", CPU, uint32="no row")
    done = machine.run("--tables", "pack")
    expect(done.returncode == 3 and "2 of 8 parts are missing" in done.stderr, "a part without rows", done)
    expect("cpu-pack-uint32-small.csv: no row is steady" in done.stdout, "a part without rows is named", done)

    # Another revision and another card: all parts are named, and nothing is measured.
    for what, facts in (("revision abc", {"revision": "def"}), ("machine Quick(R) CPU 2", {"machine": "Slow"})):
        machine.prepare("cpu", {**CPU, **facts})
        done = machine.run("--tables", "scan")
        expect(done.returncode == 2 and done.stderr.count(what) == len(scans), f"parts of another {what}", done)
        expect(not machine.calls("cpu") and machine.results() == [name], f"another {what}", done)

    # A table of the same card and day, but of another revision, stays.
    for part in (folder / "parts").glob("cpu-scan-*.csv"):
        part.unlink()
    machine.prepare("cpu", {**CPU, "revision": "def"})
    done = machine.run("--tables", "scan")
    expect(done.returncode == 2 and "is of revision abc, and would be replaced by def" in done.stderr, "a table", done)
    kept = {row.git for row in results_csv.read(folder / "results" / name).rows}
    expect(kept == {"abc"} and machine.results() == [name], "a table of another revision", done)

    # Parts that have a row twice make no table, and leave nothing.
    (folder / "results" / name).unlink()
    parts = sorted((folder / "parts").glob("cpu-scan-*.csv"))
    parts[1].write_text(parts[0].read_text())
    done = machine.run("--tables", "scan")
    expect(done.returncode == 2 and machine.results() == [], "a row twice", done)


def check_time(folder):
    """A machine that is not quiet, and a part for which the time is too short."""
    machine = Machine(folder, "cpu", {"cpu": CPU})
    machine.prepare("cpu", CPU, quiet=3)
    done = machine.run()
    expect(done.returncode == 3 and "the machine is not quiet" in done.stderr, "a busy machine", done)
    expect(not machine.calls("cpu"), "a busy machine is measured", done)
    machine.prepare("cpu", CPU, quiet=2)
    done = machine.run()
    expect(done.returncode == 2 and "ended with 2; nothing was measured" in done.stderr, "no calibration", done)
    machine.prepare("cpu", CPU, int64="hang")
    done = machine.run("--tables", "pack", "--minutes", "0.02")
    expect(done.returncode == 3 and "cpu-pack-int64-small.log: not at its end" in done.stderr, "too little time", done)
    expect((folder / "parts" / "cpu-pack-int32-small.csv").exists(), "what was measured before the end", done)
    expect(not (folder / "parts" / "cpu-pack-int64-small.csv").exists() and machine.results() == [], "half", done)


def check_needs(folder):
    """What is missing is named, all at once, and nothing is measured."""
    nine, eight = {**GPU, "architecture": "9.0"}, {**GPU, "architecture": "8.0"}
    machine = Machine(folder, "cuda", {"cuda-9.0": nine, "cuda-8.0": eight})
    done = machine.run("--check")
    expect(done.returncode == 0 and "MISSING" not in done.stdout and "0 of 40 parts" in done.stdout, "all there", done)
    cases = {
        "cuda-9.0: cabana: install Cabana": {"implementations": "arborx upsweep"},
        "cuda-9.0: arborx: install ArborX 2.0": {"implementations": "cabana upsweep"},
        "cuda-9.0: cub 3.6.0: there is 3.0.1; get CCCL": {"cub": "3.0.1"},
        "cuda-9.0: architecture 9.0: there is 8.0 9.0;": {"architecture": "8.0 9.0"},
        "cuda-9.0: backend Cuda: there is OpenMP;": {"backend": "OpenMP"},
        "cuda-9.0: one revision, not abc-dirty": {"revision": "abc-dirty"},
        "cuda-9.0: its revision: it was built outside": {"revision": "unknown"},
        "all: one revision: cuda-9.0 is of def, cuda-8.0 is of abc": {"revision": "def"},
    }
    for what, facts in cases.items():
        machine.prepare("cuda-9.0", {**nine, **facts})
        done = machine.run("--check")
        expect(done.returncode == 2 and f"MISSING {what}" in done.stdout, what, done)
    done = machine.run()
    expect(done.returncode == 2 and f"missing: {what}" in done.stderr, f"{what}, and no --check", done)
    expect(not machine.calls("cuda-9.0") and not machine.calls("cuda-8.0"), f"{what}: measured", done)
    (folder / "cuda-8.0").unlink()
    done = machine.run("--check")
    expect("MISSING cuda-8.0: " in done.stdout and "--preset cuda -B build/cuda80" in done.stdout, "no build", done)

    # One call makes the tables of both builds, each by its own name.
    machine = Machine(folder / "both", "cuda", {"cuda-9.0": {**nine, "revision": "unknown"}, "cuda-8.0": eight})
    done = machine.run("--git", "abc", "--tables", "pack,neighbors")
    tables = ["nvidia-h100-2026-01-02-neighbors.csv", "nvidia-h100-2026-01-02-pack.csv"]
    tables.append("nvidia-h100-built-for-8-0-2026-01-02-pack.csv")
    expect(done.returncode == 0 and machine.results() == tables, "both builds", done)
    for options, what in (
        (["--program", "cuda-7.0=x"], "expected BUILD=PATH"),
        (["--tables", "scans"], "--tables scans"),
        (["--minutes", "0"], "--minutes 0.0"),
        (["--spread", "nan"], "--spread nan"),
        (["--results", str(folder / "none")], "is no folder"),
    ):
        done = machine.run("--git", "abc", *options)
        expect(done.returncode == 2 and what in done.stderr, f"{options}", done)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_parts, check_time, check_needs):
            check(Path(folder) / check.__name__)
    print(*failures, sep="\n")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
