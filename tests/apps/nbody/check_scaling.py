# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Runs tools/scaling/measure.py on small systems: check_scaling.py measure.py upsweep-nbody WORDS...

WORDS are those of mpiexec, with {ranks} among them.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

MEASURE, PROGRAM = sys.argv[1:3]
LAUNCH = " ".join(sys.argv[3:])

# Takes the place of mpiexec and of the program: a report whose hash depends on the number of ranks.
DIFFERENT = """
import json, sys
ranks = int(sys.argv[1])
phases = {name: {"max": 0.1} for name in ["migrate", "halo", "neighbor", "force", "integrate"]}
report = {"version": "0", "backend": "none", "ranks": ranks + %d, "ranks_grid": [1, 1, ranks], "threads": 1,
          "atoms": 100, "steps": 1, "loop": {"max": 1.0}, "state_hash": str(ranks), "phases": phases}
open(sys.argv[sys.argv.index("--report") + 1], "w").write(json.dumps(report))
"""


def measure(folder, *words):
    command = [sys.executable, MEASURE, "--out", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def rows_of(folder):
    with open(folder / "scaling.csv", newline="") as file:
        return list(csv.DictReader(file))


def check_runs(folder):
    words = ["--program", PROGRAM, "--launch", LAUNCH, "--ranks", "1,2", "--cells", "6,6,6", "--steps", "3"]
    done = measure(folder / "strong", *words, "--runs", "2", "--", "--seed", "5")
    assert done.returncode == 0, done.stderr
    rows = rows_of(folder / "strong")
    assert [row["ranks"] for row in rows] == ["1", "2", "1", "2"], rows
    assert {row["atoms"] for row in rows} == {"864"} and len({row["state_hash"] for row in rows}) == 1, rows
    assert all(float(row["seconds"]) > 0 and float(row["particle_steps_per_s"]) > 0 for row in rows), rows
    report = json.loads((folder / "strong" / "strong_2_1.json").read_text())
    assert report["ranks"] == 2 and report["state_hash"] == rows[0]["state_hash"], report
    assert len((folder / "strong" / "scaling.dat").read_text().splitlines()) == 3
    done = measure(folder / "weak", *words, "--runs", "1", "--weak")
    assert done.returncode == 0, done.stderr
    assert [row["atoms"] for row in rows_of(folder / "weak")] == ["864", "1728"]


def check_failures(folder):
    program = folder / "different.py"
    program.write_text(DIFFERENT % 0)
    words = ["--launch", f"{sys.executable} {program} {{ranks}}", "--ranks", "1,2", "--runs", "1"]
    done = measure(folder / "different", *words)
    assert done.returncode == 1 and "different positions" in done.stderr, done
    assert measure(folder / "weak_different", *words, "--weak").returncode == 0
    program.write_text(DIFFERENT % 1)
    done = measure(folder / "other_ranks", *words)
    assert done.returncode == 1 and "asked for 1 ranks, the program ran on 2" in done.stderr, done
    done = measure(folder / "none", "--program", PROGRAM, "--launch", LAUNCH, "--ranks", "1", "--", "--frob")
    assert done.returncode == 1 and not (folder / "none" / "scaling.csv").exists(), done
    for bad in (["--ranks", "0"], ["--ranks", "x"], ["--cells", "1,2"], ["--steps", "0"], ["--launch", "mpiexec -n 2"]):
        done = measure(folder / "bad", *bad)
        assert done.returncode == 2 and "error: " in done.stderr, (bad, done)


with tempfile.TemporaryDirectory() as folder:
    check_runs(Path(folder))
    check_failures(Path(folder))
