# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Ends runs of upsweep-nbody by SIGTERM at random moments and goes on from their checkpoints.

end_and_restart.py <ends> <folder> <upsweep-nbody> [mpiexec ...]

Each run that gets the signal, on one of its ranks or on all, says so, exits with 0 and has a complete checkpoint of its
last step. The last state and the trajectory are those of a run that nobody ended.
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
OPTIONS = ["--thermo", "0", "--steps", str(STEPS), "--trajectory", "t.xyz", "--trajectory-every", "7",
           "--checkpoint", "c", "--thermostat", "langevin", "--thermostat-temperature", "1", "--no-progress"]
START = ["--lattice", "fcc", "--cells", "5,5,5", "--seed", "5"]


def step_of_checkpoint(folder):
    first, rest = (folder / "c").read_bytes().split(b"\n", 1)
    return json.loads(rest[: int(first.split()[3])])["step"]


def main():
    ends, folder, program, launcher = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    if not Path("/proc/self/exe").exists():
        sys.exit(77)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    random.seed(ends)

    def start(options):
        return subprocess.Popen([*launcher, program, *options, *OPTIONS], cwd=folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def outcome(run):
        """What the run says; it ends with 0."""
        out, err = run.communicate()
        if run.returncode != 0:
            sys.exit(f"exit code {run.returncode}\n{out}{err}")
        return out

    def state(out):
        step, value = re.search(r"state at step (\d+): hash (\w+)", out).groups()
        return int(step), value

    # Timed from the first line on: on a GPU what precedes it takes most of a short run.
    run = start(START)
    run.stdout.readline()
    begin = time.monotonic()
    whole = state(outcome(run))
    seconds = time.monotonic() - begin
    frames = (folder / "t.xyz").read_bytes()
    ended = rounds = 0
    while ended < ends:
        for left in folder.iterdir():
            left.unlink()
        options = START
        while True:
            run = start(options)
            # Before main begins, which takes longest on a busy machine, a signal kills as it kills any program.
            head = run.stdout.readline()
            time.sleep(random.uniform(0, 0.5 * seconds))
            ranks = ranks_of(run.pid, program)
            for victim in ranks if random.random() < 0.3 else random.sample(ranks, min(1, len(ranks))):
                try:
                    os.kill(victim, signal.SIGTERM)
                except ProcessLookupError:
                    pass
            out = head + outcome(run)
            step, value = state(out)
            if step_of_checkpoint(folder) != step:
                sys.exit(f"the checkpoint is of step {step_of_checkpoint(folder)}\n{out}")
            words = f"ended by SIGTERM after step {step}; the same command with --restart c in place of the start goes"
            if (words in out) != (step < STEPS):
                sys.exit(f"expected at the end: {words}{out}")
            ended += step < STEPS
            if step == STEPS:
                break
            options = ["--restart", "c"]
        rounds += 1
        if (step, value) != whole:
            sys.exit(f"the last state is {value}, without signals it is {whole}")
        if (folder / "t.xyz").read_bytes() != frames:
            sys.exit("the trajectory differs from that without signals")
    print(f"{ended} ends in {rounds} whole runs")


main()
