#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Draws interpolation.png: interpolation.py <upsweep-interpolate>

Franke's function is known at 250 random points of the unit square and computed on a grid by each method. Needs gnuplot.
"""

import random
import subprocess
import sys
import tempfile
from array import array
from math import exp
from pathlib import Path

N, RADIUS = 90, 0.2


def franke(x, y):
    return (
        0.75 * exp(-((9 * x - 2) ** 2 + (9 * y - 2) ** 2) / 4)
        + 0.75 * exp(-((9 * x + 1) ** 2) / 49 - (9 * y + 1) / 10)
        + 0.5 * exp(-((9 * x - 7) ** 2 + (9 * y - 3) ** 2) / 4)
        - 0.2 * exp(-((9 * x - 4) ** 2) - (9 * y - 7) ** 2)
    )


def write_npy(path, shape, numbers):
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (-(10 + len(head) + 1) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head + array("d", numbers).tobytes())


def read_values(path):
    data = path.read_bytes()
    values = array("d")
    values.frombytes(data[10 + int.from_bytes(data[8:10], "little") :])
    return values


def block(name, values):
    rows = []
    for i in range(N):
        rows += [f"{i / (N - 1)} {k / (N - 1)} {values[N * i + k]}\n" for k in range(N)] + ["\n"]
    return f"${name} << end\n" + "".join(rows) + "end\n"


def main():
    draw = random.Random(5).random
    points = [(draw(), draw()) for _ in range(250)]
    panels = {"the function": [franke(i / (N - 1), k / (N - 1)) for i in range(N) for k in range(N)]}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_npy(folder / "p.npy", (len(points), 2), [c for point in points for c in point])
        write_npy(folder / "v.npy", (len(points),), [franke(*point) for point in points])
        for method in ("shepard", "linear", "quadratic"):
            command = [sys.argv[1], "--input", "p.npy", "--values", "v.npy", "--radius", str(RADIUS)]
            command += ["--grid", f"{N},{N}", "--from", "0,0", "--to", "1,1", "--method", method]
            command += ["--output", f"{method}.npy"]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            panels[method] = read_values(folder / f"{method}.npy")
    script = "".join(block(f"panel{k}", values) for k, values in enumerate(panels.values()))
    script += f"""
set terminal pngcairo size 900,640 background rgb 'white'
set output '{Path(__file__).parent / "interpolation.png"}'
set multiplot layout 2,2
unset key; unset colorbox; unset tics; unset border
set view 50, 220, 1.15, 1.1
set xrange [0:1]; set yrange [0:1]; set zrange [-0.1:1.3]; set cbrange [0:1.25]
set xyplane at -0.1
set palette defined (0 '#2c4a7a', 0.5 '#6fa8a0', 1 '#f0d080')
set pm3d depthorder noborder lighting primary 0.4 specular 0.1
"""
    for k, name in enumerate(panels):
        script += f"set title '{name}'\nsplot $panel{k} using 1:2:3 with pm3d\n"
    subprocess.run(["gnuplot"], input=script + "unset multiplot\n", text=True, check=True)


if __name__ == "__main__":
    main()
