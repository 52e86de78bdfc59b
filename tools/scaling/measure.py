# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Runs upsweep-nbody on several numbers of MPI ranks, and writes scaling.csv and scaling.svg.

Strong scaling: the same particles on all numbers of ranks; all runs must end with the same positions and velocities,
bit by bit, or the exit code is 1. Weak scaling: as many particles for each rank. Times are those of the slowest rank.
"""

import argparse
import csv
import datetime
import json
import math
import shlex
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

COLUMNS = ["date", "version", "backend", "scaling", "ranks", "ranks_grid", "threads", "atoms", "steps", "run"]
COLUMNS += ["seconds", "particle_steps_per_s", "migrate_s", "halo_s", "neighbor_s", "force_s", "integrate_s"]
COLUMNS += ["particles_max", "ghosts_max", "rebuilds", "state_hash"]


def positive_integers(text):
    numbers = [int(word) for word in text.split(",")]
    if min(numbers) < 1:
        raise ValueError(text)
    return numbers


def three_integers(text):
    numbers = positive_integers(text)
    if len(numbers) != 3:
        raise ValueError(text)
    return numbers


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="where the files go")
    parser.add_argument("--ranks", type=positive_integers, default=[1, 2], metavar="N,N,...", help="numbers of ranks")
    cells = "fcc cells; of each rank with --weak"
    parser.add_argument("--cells", type=three_integers, default=[20, 20, 20], metavar="X,Y,Z", help=cells)
    parser.add_argument("--weak", action="store_true", help="as many particles for each rank")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3, help="of each number of ranks; the figure shows medians")
    parser.add_argument(
        "--launch", default="mpiexec -n {ranks}", help="the words before the program; {ranks} is their number"
    )
    parser.add_argument("--program", default="upsweep-nbody")
    parser.add_argument("options", nargs="*", help="further options of the program, behind --")
    arguments = parser.parse_args()
    if arguments.steps < 1 or arguments.runs < 1:
        parser.error("--steps and --runs are 1 or more")
    if "{ranks}" not in arguments.launch:
        parser.error("--launch needs {ranks}")
    return arguments


def near_cube(ranks):
    """Three factors that are as equal as they can be, the largest last."""
    first = max(k for k in range(1, round(ranks ** (1 / 3)) + 1) if ranks % k == 0)
    rest = ranks // first
    second = max(k for k in range(1, math.isqrt(rest) + 1) if rest % k == 0)
    return [first, second, rest // second]


def run(arguments, ranks, number):
    factors = near_cube(ranks) if arguments.weak else [1, 1, 1]
    cells = [a * b for a, b in zip(arguments.cells, factors)]
    report = arguments.out / f"{'weak' if arguments.weak else 'strong'}_{ranks}_{number}.json"
    command = shlex.split(arguments.launch.format(ranks=ranks)) + [arguments.program, "--lattice", "fcc", "--cells"]
    command += [",".join(map(str, cells)), "--steps", str(arguments.steps), "--thermo", "0", "--report", str(report)]
    subprocess.run(command + arguments.options, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    found = json.loads(report.read_text())
    seconds = found["loop"]["max"]
    row = {
        "date": datetime.date.today().isoformat(),
        "version": found["version"],
        "backend": found["backend"],
        "scaling": "weak" if arguments.weak else "strong",
        "ranks": found["ranks"],
        "ranks_grid": "x".join(map(str, found["ranks_grid"])) if found["ranks_grid"] else "bisected",
        "threads": found["threads"],
        "atoms": found["atoms"],
        "steps": found["steps"],
        "run": number,
        "seconds": f"{seconds:.6f}",
        "particle_steps_per_s": f"{found['atoms'] * found['steps'] / seconds:.5g}",
        "particles_max": round(found["particles_of_rank"]["max"]),
        "ghosts_max": round(found["ghosts_of_rank"]["max"]),
        "rebuilds": found["rebuilds"],
        "state_hash": found["state_hash"],
    }
    for phase in ["migrate", "halo", "neighbor", "force", "integrate"]:
        row[f"{phase}_s"] = f"{found['phases'][phase]['max']:.6f}"
    if row["ranks"] != ranks:
        sys.exit(f"measure.py: asked for {ranks} ranks, the program ran on {row['ranks']}: see --launch")
    print(f"{ranks:>6} ranks, {row['atoms']} particles: {row['particle_steps_per_s']} particle-steps/s", flush=True)
    return row


def efficiencies(rows):
    """(ranks, median of particle-steps a second, that of a rank against the first number of ranks)"""
    speeds = {}
    for row in rows:
        speeds.setdefault(row["ranks"], []).append(float(row["particle_steps_per_s"]))
    medians = [(ranks, statistics.median(of)) for ranks, of in sorted(speeds.items())]
    of_one = medians[0][1] / medians[0][0]
    return [(ranks, speed, speed / ranks / of_one) for ranks, speed in medians]


def draw(rows, folder):
    """Writes scaling.svg with gnuplot; where there is none, only its data."""
    lines = [f"{ranks} {speed:.6g} {efficiency:.4f}" for ranks, speed, efficiency in efficiencies(rows)]
    (folder / "scaling.dat").write_text("# ranks particle-steps/s efficiency\n" + "\n".join(lines) + "\n")
    first = rows[0]
    script = f"""
set terminal svg size 900,400 noenhanced font 'sans,12' background '#ffffff'
set output 'scaling.svg'
set multiplot layout 1,2 title 'upsweep-nbody, {first["scaling"]} scaling, {first["backend"]}'
set logscale x 2
set xlabel 'ranks'
set grid
set key bottom right
set ylabel 'particle-steps per second'
set logscale y 2
plot 'scaling.dat' using 1:2 with linespoints title 'median'
unset logscale y
set ylabel 'efficiency'
set yrange [0:1.2]
plot 'scaling.dat' using 1:3 with linespoints title 'against {min(row["ranks"] for row in rows)} ranks'
unset multiplot
"""
    (folder / "scaling.gp").write_text(script)
    if shutil.which("gnuplot") is None:
        print("no figure: gnuplot is not installed")
        return
    subprocess.run(["gnuplot", "scaling.gp"], cwd=folder, check=True)


def main():
    arguments = parse()
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = []
    # Runs of different numbers of ranks in turn: what else the machine does then meets all of them.
    for number in range(arguments.runs):
        for ranks in arguments.ranks:
            try:
                rows.append(run(arguments, ranks, number))
            except (subprocess.CalledProcessError, OSError) as error:
                sys.exit(f"measure.py: {error}")
    with open(arguments.out / "scaling.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    draw(rows, arguments.out)
    for ranks, speed, efficiency in efficiencies(rows):
        print(f"{ranks:>6} ranks: {speed:.4g} particle-steps/s, efficiency {efficiency:.2f}")
    hashes = {(row["ranks"] if arguments.weak else 0, row["state_hash"]) for row in rows}
    if len(hashes) != (len(set(arguments.ranks)) if arguments.weak else 1):
        print("measure.py: runs of the same particles ended with different positions or velocities", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
