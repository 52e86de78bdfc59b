# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Fits the cost model of docs/clusters.md to measured runs, and checks it on others.

A step on a rank with n particles and g ghosts takes F n + H g. F and H are fitted for each number of ranks of a
machine, to runs with the numbers of particles that --fit names; all other runs are predicted. A collective call on P
ranks takes a log2(P) + b P; it is fitted to powers of two, and checked on other P. The last table is for clusters that
nobody has measured: it adds to the fitted step what collective calls cost with a network's latency and bandwidth.
"""

import argparse
import csv
import math
import sys
from pathlib import Path

COLLECTIVES = [("reduce_of_states", "MPI_Allgather of 64 bytes"), ("allreduce", "MPI_Allreduce of 24 bytes")]
COLLECTIVES += [("alltoall", "MPI_Alltoall of 40 bytes")]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", type=Path, metavar="scaling.csv", help="tables of measure.py")
    fit = "numbers of particles whose runs the step is fitted to"
    parser.add_argument("--fit", type=lambda text: {int(word) for word in text.split(",")}, default=set(), help=fit)
    parser.add_argument("--collectives", type=Path, metavar="RESULTS-mpi.csv", help="a table of upsweep-perf-mpi")
    parser.add_argument("--latency", type=float, default=2, metavar="US", help="of a message, in microseconds (2)")
    parser.add_argument("--bandwidth", type=float, default=10, metavar="GB/S", help="of a rank (10)")
    parser.add_argument("--density", type=float, default=0.8442, help="particles in a unit of volume (0.8442)")
    parser.add_argument("--radius", type=float, default=2.8, help="cutoff and skin (2.8)")
    arguments = parser.parse_args()
    if not arguments.runs and arguments.collectives is None:
        parser.error("no tables are given")
    if min(arguments.latency, arguments.bandwidth, arguments.density, arguments.radius) <= 0:
        parser.error("--latency, --bandwidth, --density and --radius are positive")
    return arguments


def refuse(message):
    print(f"model.py: {message}", file=sys.stderr)
    sys.exit(2)


def rows_of(path):
    try:
        with open(path, newline="") as file:
            return list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError) as error:
        refuse(error)


def fit_two(points):
    """u and v for which u x + v y is near t, relative to t, for points (x, y, t)."""
    xx = sum(x * x / t**2 for x, y, t in points)
    xy = sum(x * y / t**2 for x, y, t in points)
    yy = sum(y * y / t**2 for x, y, t in points)
    x1, y1 = sum(x / t for x, y, t in points), sum(y / t for x, y, t in points)
    determinant = xx * yy - xy * xy
    if determinant <= 1e-9 * xx * yy:
        return None
    return (x1 * yy - y1 * xy) / determinant, (y1 * xx - x1 * xy) / determinant


def step_points(rows):
    """(particles, ghosts, microseconds) of each run's slowest rank."""
    return [
        (int(row["particles_max"]), int(row["ghosts_max"]), float(row["seconds"]) / int(row["steps"]) * 1e6)
        for row in rows
    ]


def fit_steps(rows, fitted):
    """Prints fits and predictions; returns (F, H) of the largest number of ranks."""
    result = None
    print("ranks  F, ns a particle  H, ns a ghost")
    checks = []
    for ranks in sorted({int(row["ranks"]) for row in rows}):
        of_ranks = [row for row in rows if int(row["ranks"]) == ranks]
        found = fit_two(step_points([row for row in of_ranks if int(row["atoms"]) in fitted]))
        if found is None:
            print(f"{ranks:>5}  not fitted: runs of two sizes are needed")
            continue
        result = found
        print(f"{ranks:>5}  {found[0] * 1e3:>16.1f}  {found[1] * 1e3:>13.1f}")
        others = [row for row in of_ranks if int(row["atoms"]) not in fitted]
        for row, (n, g, measured) in zip(others, step_points(others)):
            checks.append((ranks, int(row["atoms"]), measured, found[0] * n + found[1] * g))
    print("\nranks  particles  measured, us a step  predicted  ratio")
    for ranks, atoms, measured, predicted in checks:
        print(f"{ranks:>5}  {atoms:>9}  {measured:>19.0f}  {predicted:>9.0f}  {predicted / measured:>5.2f}")
    return result


def fit_collectives(rows):
    for operation, name in COLLECTIVES:
        times = {int(row["n"]): float(row["median_us"]) for row in rows
                 if row["impl"] == "mpi" and row["operation"] == operation}
        powers = [ranks for ranks in times if ranks > 1 and ranks & (ranks - 1) == 0]
        found = fit_two([(math.log2(ranks), ranks, times[ranks]) for ranks in powers])
        if found is None:
            print(f"\n{name}: not fitted: two powers of two are needed")
            continue
        print(f"\n{name}: {found[0]:.3f} us log2(P) + {found[1]:.3f} us P")
        for ranks in sorted(set(times) - set(powers)):
            predicted = found[0] * math.log2(ranks) + found[1] * ranks
            print(f"  P = {ranks}: measured {times[ranks]:.2f} us, predicted {predicted:.2f}")


def predict(arguments, step):
    """Weak scaling to many ranks."""
    particles = 32000
    edge = (particles / arguments.density) ** (1 / 3)
    ghosts = arguments.density * ((edge + 2 * arguments.radius) ** 3 - edge**3)
    work = step[0] * particles + step[1] * ghosts if step else 0
    each = arguments.bandwidth * 1e3  # bytes in a microsecond
    network = f"{arguments.latency:g} us a message, {arguments.bandwidth:g} GB/s a rank"
    print(f"\n{particles} particles a rank, {network}; us")
    print(" ranks    step  gather  agreement and exact reduction  announcement  MiB for collectives")
    for ranks in [1, 10, 100, 1000, 10000, 100000]:
        hops = math.log2(ranks) * arguments.latency
        gather = hops + 64 * ranks / each
        announce = hops + 40 * ranks / 2 * math.log2(ranks) / each
        memory = 128 * ranks / 2**20  # records of mpi::communicator
        print(f"{ranks:>6} {work:>7.0f} {gather:>7.1f} {2 * hops:>30.1f} {announce:>13.1f} {memory:>20.3f}")


def main():
    arguments = parse()
    step = None
    try:
        if arguments.runs:
            step = fit_steps([row for path in arguments.runs for row in rows_of(path)], arguments.fit)
        if arguments.collectives:
            fit_collectives(rows_of(arguments.collectives))
    except KeyError as column:
        refuse(f"a table has no column {column}")
    except (ValueError, TypeError, ZeroDivisionError) as error:
        refuse(f"a table has a wrong number: {error}")
    predict(arguments, step)


main()
