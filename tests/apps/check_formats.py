#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""All programs make the same bytes of the same points from NumPy files in C and in Fortran order, LAMMPS data and
extended XYZ files, in boxes that lean or are open in a direction. All say how many points are outside of --box.

usage: check_formats.py FOLDER_OF_PROGRAMS
"""

import gzip
import os
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path


def write_npy(name, shape, numbers, fortran=False):
    head = f"{{'descr': '<f8', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    head += " " * (-(10 + len(head) + 1) % 64) + "\n"
    body = struct.pack(f"<{len(numbers)}d", *numbers)
    Path(name).write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + body)


def make_files():
    """A crystal with some disorder, whose edge y leans by 1 in the files named leaning. Returns its points."""
    draw = random.Random(3).uniform
    places = [(i, j, k) for i in range(3) for j in range(3) for k in range(3)]
    points = [[3 * x + 1 + draw(-0.3, 0.3) for x in place] for place in places]
    write_npy("p.npy", (27, 3), [x for point in points for x in point])
    write_npy("columns.npy", (27, 3), [point[d] for d in range(3) for point in points], fortran=True)
    write_npy("v.npy", (27,), [draw(0, 1) for _ in points])
    for name, tilt in (("p", 0), ("leaning", 1)):
        data = f"title\n\n27 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n{tilt} 0 0 xy xz yz\n"
        data += "\nAtoms # atomic\n\n"
        data += "".join(f"{i + 1} 1 {x!r} {y!r} {z!r}\n" for i, (x, y, z) in enumerate(points))
        Path(name + ".data").write_text(data)
        xyz = f'27\nLattice="9 0 0 {tilt} 9 0 0 0 9" Properties=species:S:1:pos:R:3\n'
        xyz += "".join(f"Ar {x!r} {y!r} {z!r}\n" for x, y, z in points)
        Path(name + ".extxyz").write_text(xyz)
        with gzip.open(name + ".xyz.gz", "wt") as file:
            file.write(xyz)
    return points


def main():
    folder = Path(sys.argv[1]).resolve()

    def run(program, *words):
        return subprocess.run([folder / program, *words], capture_output=True, text=True, timeout=60, check=False)

    def result(program, *words):
        """What a run says of its points, without times and names."""
        for old in Path(".").glob("out.*"):
            old.unlink()
        done = run(program, *words)
        assert done.returncode == 0, (program, words, done.stderr)
        if program == "upsweep-nbody":
            return [line for line in done.stdout.splitlines() if line.startswith("state at step")]
        names = ("out/group_sizes.npy", "out/group_centres.npy") if program == "upsweep-clusters" else words[-1:]
        return [Path(name).read_bytes() for name in names]

    grid = ["--values", "v.npy", "--radius", "4", "--grid", "3,3,3", "--from", "0,1,2", "--to", "8,8,8"]
    programs = {
        "upsweep-nbody": ["--steps", "0", "--no-progress"],
        "upsweep-clusters": ["--linking-length", "2.9", "--catalogue", "out"],
        "upsweep-surface": ["--radius", "2", "--iso", "0.3", "--output", "out.ply"],
        "upsweep-interpolate": [*grid, "--output", "out.npy"],
    }
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        os.mkdir("out")
        points = make_files()
        outside = sum(point[0] >= 7 for point in points)
        for program, options in programs.items():
            if not (folder / program).exists():
                continue
            leaning = result(program, "--input", "p.npy", "--box", "9,9,9,1,0,0", *options)
            assert leaning and leaning == result(program, "--input", "leaning.data", *options), program
            assert leaning == result(program, "--input", "leaning.extxyz", *options), program
            assert leaning == result(program, "--input", "columns.npy", "--box", "9,9,9,1,0,0", *options), program
            slab = result(program, "--input", "p.npy", "--box", "9,9,9", "--open", "z", *options)
            assert slab == result(program, "--input", "p.data", "--open", "z", *options), program
            assert slab == result(program, "--input", "p.xyz.gz", "--open", "z", *options), program
            # A box smaller than the points: they are wrapped, and that is said.
            done = run(program, "--input", "p.npy", "--box", "7,9,9", *options)
            said = f"{outside} of 27 points of p.npy are outside of --box along x, and wrapped into it"
            assert done.returncode == 0 and done.stderr == f"{program}: {said}\n", (program, done.stderr)
            if program == "upsweep-nbody":  # its state at step 0 is that of any box
                continue
            assert slab != result(program, "--input", "p.data", *options), program
            if program == "upsweep-clusters":
                continue
            refused = run(program, "--input", "leaning.data", "--open", "z", *options)
            assert refused.returncode == 2 and "leaning.data: the box leans" in refused.stderr, refused.stderr
        if (folder / "upsweep-interpolate").exists():
            refused = run("upsweep-interpolate", "--input", "leaning.data", *grid[:6], "--output", "out.npy")
            assert refused.returncode == 2 and "--grid: the box of leaning.data leans" in refused.stderr, refused.stderr


if __name__ == "__main__":
    main()
