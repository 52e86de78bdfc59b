# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Kills runs of upsweep-nbody at random moments and goes on from their checkpoints.

kill_and_restart.py <kills> <folder> <trajectory> <upsweep-nbody> [mpiexec ...]

A kill loses no steps that a checkpoint had and leaves no broken checkpoint. The last state and the trajectory, which
restarts cut back, are those of a run that nobody killed. On several ranks one of them is killed.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from processes import ranks_of

STEPS = 600
TRAJECTORY = sys.argv[3]
OPTIONS = ["--thermo", "0", "--steps", str(STEPS), "--trajectory", TRAJECTORY, "--trajectory-every", "7",
           "--checkpoint", "c", "--checkpoint-every", "3"]
START = ["--lattice", "fcc", "--cells", "5,5,5", "--seed", "5"]


def header_of(path):
    first, rest = path.read_bytes().split(b"\n", 1)
    return json.loads(rest[: int(first.split()[3])])


def step_of(folder):
    """The step of the checkpoint, or -1 where there is none; it is never a broken file."""
    return header_of(folder / "c")["step"] if (folder / "c").exists() else -1


def frames_in(folder):
    """The bytes of the trajectory's files, which are one, or several with the steps of their first frames."""
    stem, suffix = TRAJECTORY.split(".")
    return {f.name: f.read_bytes() for f in folder.iterdir() if re.fullmatch(rf"{stem}(\.\d+)?\.{suffix}", f.name)}


def last_state(command, folder):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return re.search(r"state at step \d+: hash (\w+)", done.stdout)[1]


def main():
    kills, folder, launcher = int(sys.argv[1]), Path(sys.argv[2]), [*sys.argv[5:], sys.argv[4]]
    if not Path("/proc/self/exe").exists():
        sys.exit(77)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    random.seed(kills)
    whole = last_state([*launcher, *START, *OPTIONS], folder)
    frames = frames_in(folder)
    for left in folder.iterdir():
        left.unlink()
    killed = rounds = 0
    while killed < kills:
        before = step_of(folder)
        start = [*START, "--force"] if before < 0 else ["--restart", "c"]
        run = subprocess.Popen([*launcher, *start, *OPTIONS], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + random.uniform(0.1, 1.2)
        while time.monotonic() < until and run.poll() is None:
            before = max(before, step_of(folder))
            time.sleep(0.0005)
        if run.poll() is None:
            for victim in random.sample(victims := ranks_of(run.pid, sys.argv[4]), min(1, len(victims))):
                os.kill(victim, signal.SIGKILL)
                killed += 1
        out, err = run.communicate()
        after = step_of(folder)
        if after < before:
            sys.exit(f"the checkpoint was at step {before}, and is at step {after} after a kill\n{out}{err}")
        if (folder / "c.previous").exists() and header_of(folder / "c.previous")["step"] > after:
            sys.exit("the checkpoint before is of a later step")
        if after == STEPS:
            rounds += 1
            if (found := last_state([*launcher, "--restart", "c", *OPTIONS], folder)) != whole:
                sys.exit(f"the last state is {found}, without kills it is {whole}")
            if frames_in(folder) != frames:
                sys.exit("the trajectory differs from that without kills")
            for left in folder.iterdir():
                left.unlink()
    print(f"{killed} kills in {rounds} whole runs and {step_of(folder)} steps")
    # A run that nobody kills ends each test, also where the last kill came before the first checkpoint.
    start = [*START, "--force"] if step_of(folder) < 0 else ["--restart", "c"]
    if last_state([*launcher, *start, *OPTIONS], folder) != whole:
        sys.exit("the last state differs from that without kills")
    if frames_in(folder) != frames:
        sys.exit("the trajectory differs from that without kills")
    # Each run removes the part files of the runs before it.
    parts = [p.name for p in folder.iterdir() if p.name.endswith(".part")]
    if parts:
        sys.exit(f"parts are left: {parts}")


main()
