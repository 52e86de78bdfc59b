#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Reads what upsweep-nbody writes, with numpy alone: its report, a trajectory in extended XYZ, and the neighbour list
as NumPy files. A trajectory in H5MD needs h5py. For a folder in which these have run, the second one only with h5py:

upsweep-nbody --lattice fcc --cells 5,5,5 --temperature 1.44 --steps 100 --write-list list --report report.json \\
    --trajectory run.xyz --trajectory-every 50
upsweep-nbody --lattice fcc --cells 5,5,5 --temperature 1.44 --steps 100 --trajectory run.h5 --trajectory-every 50
"""

import json
import re
import sys
from pathlib import Path

import numpy

KINDS = {"R": float, "I": int, "S": str, "L": str}
wrong = 0


def confirm(what, is_right):
    global wrong
    wrong += not is_right
    print(f"{what}: {'yes' if is_right else 'NO'}")


def read_frames(path):
    """The frames of an extended XYZ file: for each the values of its second line, and an array for each column."""
    with open(path) as file:
        while line := file.readline():
            number = int(line)
            pairs = re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', file.readline())
            values = {key: quoted or plain for key, quoted, plain in pairs}
            rows = [file.readline().split() for _ in range(number)]
            columns, first = {}, 0
            fields = values.pop("Properties").split(":")
            for name, kind, width in zip(fields[0::3], fields[1::3], map(int, fields[2::3])):
                column = numpy.array([row[first : first + width] for row in rows]).astype(KINDS[kind])
                columns[name] = column[:, 0] if width == 1 else column
                first += width
            yield values, columns


def read_list(folder):
    """i, j and S of each pair, as ASE has them: particle j is seen from i at its place and S edges of the box."""
    offsets, j, S = (numpy.load(folder / f"{name}.npy") for name in ("offsets", "neighbors", "images"))
    return numpy.repeat(numpy.arange(len(offsets) - 1), numpy.diff(offsets)), j, S


def check_last_step(values, columns, list_of_pairs, report):
    """The frame, the list and the report of one step agree."""
    edges = numpy.array(values["Lattice"].split(), float).reshape(3, 3)
    origin = numpy.array(values["Origin"].split(), float)
    # Images of pairs are those of positions in the box.
    x = columns["pos"]
    x = x - numpy.floor((x - origin) @ numpy.linalg.inv(edges)) @ edges
    i, j, S = list_of_pairs
    D = x[j] - x[i] + S @ edges
    d = numpy.linalg.norm(D, axis=1)
    print(f"{len(x)} particles, {numpy.bincount(i).mean():.0f} neighbours each")
    confirm("all neighbours are within the list's cutoff", (d <= report["list_cutoff"]).all())
    both = {(a, b, *s) for a, b, s in zip(i.tolist(), j.tolist(), map(tuple, S.tolist()))}
    confirm("each pair is there in both directions", both == {(b, a, -s, -t, -u) for a, b, s, t, u in both})

    # Lennard-Jones pairs, each twice in the list. With --shift an energy is 0 at the cutoff.
    def energy(d):
        return 4 * (d**-12 - d**-6)

    at_cutoff = energy(report["cutoff"]) if report["shift"] else 0
    potential = 0.5 * (energy(d[d <= report["cutoff"]]) - at_cutoff).sum() / len(x)
    kinetic = 0.5 * (columns["mass"] * (columns["velo"] ** 2).sum(axis=1)).sum() / len(x)
    last = report["thermo"][-1]
    expected = [last["potential"], last["kinetic"]]
    confirm("energies are those of the report", numpy.allclose([potential, kinetic], expected, rtol=1e-9))


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    report = json.loads((folder / "report.json").read_text())
    values, columns = list(read_frames(folder / "run.xyz"))[-1]
    step, last_step = int(values["Step"]), report["steps"]
    print(f"the last frame is of step {step}, the list of step {last_step}")
    confirm("particles are in the order of their ids", (numpy.diff(columns["id"]) > 0).all())
    # Frames are written every so many steps, the list and the report's last energies after the last one.
    if step == last_step:
        check_last_step(values, columns, read_list(folder / "list"), report)

    h5md = folder / "run.h5"
    if h5md.exists():
        try:
            import h5py
        except ImportError:
            raise ImportError(f"{h5md} needs h5py, which is not installed") from None

        with h5py.File(h5md) as file:
            last_x = file["particles/all/position/value"][-1]
        confirm("H5MD has the same positions", numpy.allclose(last_x, columns["pos"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ImportError) as error:
        sys.exit(f"27_read_results.py: {error}")
