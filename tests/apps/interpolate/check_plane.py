# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Runs upsweep-interpolate on files and reads what it writes: check_plane.py <program>"""

import json
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path


def write_npy(path, shape, numbers):
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (-(10 + len(head) + 1) % 64) + b"\n"
    body = struct.pack(f"<{len(numbers)}d", *numbers)
    path.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + body)


def read_npy(path):
    data = path.read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    head = eval(data[10 : 10 + length])  # a dictionary that this test's own program wrote
    body = data[10 + length :]
    return head["shape"], struct.unpack(f"<{len(body) // 8}d", body)


def main():
    program = sys.argv[1]
    draw = random.Random(1).random
    points = [(draw(), draw()) for _ in range(400)]

    def plane(x, y):
        return 1 + 2 * x - 3 * y

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_npy(folder / "p.npy", (400, 2), [c for point in points for c in point])
        write_npy(folder / "v.npy", (400, 2), [v for x, y in points for v in (plane(x, y), 7.0)])

        def run(*words):
            command = [program, "--input", "p.npy", "--values", "v.npy", "--radius", "0.3", *words]
            return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

        grid = ["--grid", "5,3", "--from", "0.1,0.2", "--to", "0.9,0.8", "--output", "g.npy"]
        done = run(*grid, "--report", "-")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["linear"] == 15, done.stdout
        shape, values = read_npy(folder / "g.npy")
        assert shape == (5, 3, 2), shape
        for i in range(5):
            for j in range(3):
                want = plane(0.1 + 0.2 * i, 0.2 + 0.3 * j)
                assert abs(values[2 * (3 * i + j)] - want) < 1e-12 and abs(values[2 * (3 * i + j) + 1] - 7) < 1e-12

        # A field of its own is replaced, by one of another shape too; an array of others is kept without --force.
        before = (folder / "g.npy").read_bytes()
        assert run(*grid).returncode == 0
        assert (folder / "g.npy").read_bytes() == before
        assert run("--grid", "2,2", "--output", "g.npy").returncode == 0
        assert read_npy(folder / "g.npy")[0] == (2, 2, 2)
        for other in (lambda: write_npy(folder / "g.npy", (5, 3, 2), values),
                      lambda: (folder / "g.npy").write_bytes(b"mine")):
            other()
            theirs = (folder / "g.npy").read_bytes()
            kept = run(*grid)
            assert kept.returncode == 2 and "--force" in kept.stderr, kept.stderr
            assert (folder / "g.npy").read_bytes() == theirs
        assert run(*grid, "--force").returncode == 0
        assert (folder / "g.npy").read_bytes() == before
        clash = run(*grid, "--report", "g.npy", "--force")
        assert clash.returncode == 2 and "--report g.npy: is the same file as that of --output" in clash.stderr

        done = run("--targets", "p.npy", "--output", "t.npy", "--method", "shepard")
        assert done.returncode == 0, done.stderr
        shape, values = read_npy(folder / "t.npy")
        assert shape == (400, 2) and list(values[::2]) == [plane(x, y) for x, y in points]
        same = run("--targets", "p.npy", "--output", "p.npy", "--force")
        assert same.returncode == 2 and "is the same file as" in same.stderr, same.stderr
        left = sorted(path.name for path in folder.iterdir())
        assert left == ["g.npy", "p.npy", "t.npy", "v.npy"], left


if __name__ == "__main__":
    main()
