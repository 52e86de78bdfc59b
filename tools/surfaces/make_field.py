#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Writes a scalar field on a cubic grid from -1 to 1 as a .npy file: make_field.py sphere|torus|noise N FILE [f4|f8]

The surface of value 0 is a sphere of radius 0.7; a torus of radii 0.6 and 0.25; of noise, uniform from -1 to 1 and
without any correlation, it is as large as it can be.
"""

import math
import random
import sys
from array import array


def rows_of(kind, n):
    """The values along k of each (i, j), in the order of the file."""
    x = [-1 + 2 * i / (n - 1) for i in range(n)]
    squares = [c * c for c in x]
    draw = random.Random(1).random
    for i in range(n):
        for j in range(n):
            r2 = squares[i] + squares[j]
            if kind == "sphere":
                yield [0.7 - math.sqrt(r2 + z2) for z2 in squares]
            elif kind == "torus":
                d2 = (math.sqrt(r2) - 0.6) ** 2
                yield [0.25 - math.sqrt(d2 + z2) for z2 in squares]
            else:
                yield [2 * draw() - 1 for _ in range(n)]


def main():
    if len(sys.argv) not in (4, 5) or sys.argv[1] not in ("sphere", "torus", "noise") or sys.argv[4:] not in (
        [], ["f4"], ["f8"]
    ):
        sys.exit(__doc__)
    kind, n, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    code = sys.argv[4] if len(sys.argv) == 5 else "f8"
    order = "<" if sys.byteorder == "little" else ">"
    head = f"{{'descr': '{order}{code}', 'fortran_order': False, 'shape': ({n}, {n}, {n}), }}".encode()
    head += b" " * (-(10 + len(head) + 1) % 64) + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head)
        for row in rows_of(kind, n):
            array("f" if code == "f4" else "d", row).tofile(file)


if __name__ == "__main__":
    main()
