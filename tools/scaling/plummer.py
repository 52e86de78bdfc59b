#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Writes a Plummer sphere as a LAMMPS data file, plain or .gz: a start whose density differs from place to place.

The core radius is 1 and no particle is farther out than --radius, the half of the box's length. The density is that of
H. C. Plummer: (1 + r^2)^(-5/2), so that a share of r^3 / (1 + r^2)^(3/2) lies within r.
"""

import argparse
import gzip
import math
import random


def places(number, radius, seed):
    """Points in the sphere: the radius by inverting the share within it, a direction on the unit sphere."""
    numbers = random.Random(seed)
    whole = (1 + radius**-2) ** -1.5
    for _ in range(number):
        share = whole * numbers.random()
        r = 0.0 if share == 0 else 1 / math.sqrt(share ** (-2 / 3) - 1)
        z = 2 * numbers.random() - 1
        turn = 2 * math.pi * numbers.random()
        across = math.sqrt(1 - z * z)
        yield r * across * math.cos(turn), r * across * math.sin(turn), r * z


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--particles", type=int, default=1000000)
    arguments.add_argument("--radius", type=float, default=10.0, help="of the largest sphere, in core radii")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("file")
    values = arguments.parse_args()
    if values.particles < 1 or not 1e-3 <= values.radius <= 1e6:
        arguments.error("expected --particles of 1 or more, and --radius from 1e-3 to 1e6")
    opened = gzip.open if values.file.endswith(".gz") else open
    half = values.radius * (1 + 1e-9)
    with opened(values.file, "wt") as out:
        out.write(f"Plummer sphere\n\n{values.particles} atoms\n1 atom types\n\n")
        for axis in "xyz":
            out.write(f"{-half!r} {half!r} {axis}lo {axis}hi\n")
        out.write("\nMasses\n\n1 1.0\n\nAtoms # atomic\n\n")
        for number, place in enumerate(places(values.particles, values.radius, values.seed), 1):
            out.write(f"{number} 1 {place[0]!r} {place[1]!r} {place[2]!r}\n")


if __name__ == "__main__":
    main()
