# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Runs tools/scaling/measure.py on small systems: check_scaling.py measure.py upsweep-nbody WORDS...

WORDS are those of mpiexec, with {ranks} among them.
"""

import csv
import json
import math
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
          "atoms": 100, "steps": 1, "loop": {"max": 1.0}, "state_hash": str(ranks), "phases": phases,
          "particles_of_rank": {"max": 50}, "ghosts_of_rank": {"max": 20}, "rebuilds": 0}
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


def check_model(folder):
    """The model finds the constants that made the times, and predicts the run that the fit leaves out."""
    model = Path(MEASURE).with_name("model.py")
    rows = ["ranks,atoms,steps,seconds,particles_max,ghosts_max"]
    for atoms, particles, ghosts in [(1000, 500, 900), (8000, 4000, 2500), (64000, 32000, 8000)]:
        rows.append(f"2,{atoms},10,{(0.5 * particles + 0.125 * ghosts) * 1e-5:.9f},{particles},{ghosts}")
    (folder / "model.csv").write_text("\n".join(rows) + "\n")
    times = ["impl,operation,n,median_us"]
    for name in ["allreduce", "alltoall"]:
        times += [f"mpi,{name},{p},{0.5 * math.log2(p) + 0.25 * p}" for p in [2, 4, 6, 8]]
    (folder / "collectives.csv").write_text("\n".join(times) + "\n")
    words = [str(folder / "model.csv"), "--fit", "1000,8000", "--collectives", str(folder / "collectives.csv")]
    done = subprocess.run([sys.executable, str(model), *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    at = words.index("2")
    assert words[at : at + 3] == ["2", "500.0", "125.0"], done.stdout
    assert "64000                17000      17000   1.00" in done.stdout, done.stdout
    assert "MPI_Allreduce of 24 bytes: 0.500 us log2(P) + 0.250 us P" in done.stdout, done.stdout
    assert "P = 6: measured 2.79 us, predicted 2.79" in done.stdout, done.stdout
    assert "MPI_Allgather of 64 bytes: not fitted" in done.stdout, done.stdout
    (folder / "other.csv").write_text("impl,operation\nmpi,allreduce\n")
    for name, text in [("none.csv", "none.csv"), ("other.csv", "has no column 'ranks'")]:
        done = subprocess.run([sys.executable, str(model), str(folder / name)], capture_output=True, text=True)
        assert done.returncode == 2 and text in done.stderr, done


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
    check_model(Path(folder))
    check_failures(Path(folder))
