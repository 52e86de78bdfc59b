#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Draws a mesh of upsweep-surface with gnuplot: draw_mesh.py MESH.ply PICTURE.png

Triangles are coloured by their height.
"""

import struct
import subprocess
import sys


def read_ply(path):
    """Vertices and triangles of a file that upsweep-surface wrote."""
    data = open(path, "rb").read()
    head, end = data.partition(b"end_header\n")[::2]
    lines = head.decode().split("\n")
    counts = [int(line.split()[2]) for line in lines if line.startswith("element ")]
    code, size = ("f", 4) if "property float x" in lines else ("d", 8)
    vertices = list(struct.iter_unpack("<3" + code, end[: 3 * size * counts[0]]))
    triangles = [row[1:] for row in struct.iter_unpack("<B3i", end[3 * size * counts[0] :])]
    assert len(triangles) == counts[1], path
    return vertices, triangles


def draw(path, vertices, triangles):
    middle = [(min(v[d] for v in vertices) + max(v[d] for v in vertices)) / 2 for d in range(3)]
    reach = max(max(v[d] for v in vertices) - middle[d] for d in range(3))
    script = f"""
set terminal pngcairo size 640,640 background rgb 'white'
set output '{path}'
unset border; unset tics; unset key; unset colorbox
set view 70, 35, 1.7
set view equal xyz
set xrange [{middle[0] - reach}:{middle[0] + reach}]
set yrange [{middle[1] - reach}:{middle[1] + reach}]
set zrange [{middle[2] - reach}:{middle[2] + reach}]
set xyplane at {middle[2] - reach}
set palette defined (0 '#b5432c', 0.45 '#e0a050', 1 '#5a86b5')
set pm3d depthorder noborder lighting primary 0.45 specular 0.2
$mesh << end
"""
    rows = []
    for triangle in triangles:
        corners = [vertices[v] for v in triangle]
        rows += [f"{x:.4f} {y:.4f} {z:.4f}\n" for x, y, z in corners + corners[:1]] + ["\n\n"]
    script += "".join(rows) + "end\nsplot $mesh with polygons fillcolor palette\n"
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    vertices, triangles = read_ply(sys.argv[1])
    draw(sys.argv[2], vertices, triangles)


if __name__ == "__main__":
    main()
