#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""All programs show on a terminal what they do, remove it at the end, and show nothing with --no-progress or elsewhere.

usage: check_progress.py FOLDER_OF_PROGRAMS
"""

import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

from check_formats import write_npy

GRID = ["--input", "p.npy", "--values", "v.npy", "--radius", "3", "--grid", "2,2,2", "--force", "--output", "out.npy"]
# Programs with options, and what a terminal shows.
RUNS = (
    ("upsweep-nbody", ["--lattice", "fcc", "--cells", "5,5,5", "--steps", "4000"], b" of 4000, "),
    ("upsweep-nbody", ["--input", "apart.npy", "--box", "9,9,9", "--steps", "0"], b"read, after 0 s"),
    ("upsweep-clusters", ["--random", "uniform", "--points", "1000"], b"link, after 0 s"),
    ("upsweep-surface", ["--input", "p.npy", "--radius", "1"], b"count, after 0 s"),
    ("upsweep-interpolate", GRID, b"weights, after 0 s"),
)


def on_terminal(command):
    """What the command shows where its standard error is a terminal."""
    ours, its = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=its) as run:
        os.close(its)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # all that wrote there have ended
            pass
        assert run.wait(timeout=60) == 0, (command, shown)
    os.close(ours)
    return shown


def main():
    folder = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        numbers = [float(i * i % 7) for i in range(60)]
        write_npy("p.npy", (20, 3), numbers)
        write_npy("v.npy", (20,), numbers[:20])
        write_npy("apart.npy", (2, 3), [1, 1, 1, 4, 4, 4])
        for program, options, expected in RUNS:
            command = [folder / program, *options]
            if not command[0].exists():
                continue
            shown = on_terminal(command)
            assert expected in shown and shown.endswith(b"\r\033[K"), (program, shown)
            assert on_terminal([*command, "--no-progress"]) == b"", program
            elsewhere = subprocess.run(command, capture_output=True, timeout=60, check=True)
            assert elsewhere.stderr == b"", (program, elsewhere.stderr)
        # A line takes the place of what is shown.
        surface = folder / "upsweep-surface"
        if surface.exists():
            shown = on_terminal([surface, "--input", "apart.npy", "--box", "3,9,9", "--radius", "1"])
            assert b"\r\033[Kupsweep-surface: 1 of 2 points of apart.npy is outside" in shown, shown


if __name__ == "__main__":
    main()
