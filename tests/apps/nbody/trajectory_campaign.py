# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Trajectories of one format beside files of others, after restarts and on a disk that fills up.

trajectory_campaign.py <suffix> <folder> <stride> <reader of H5MD, or -> <upsweep-nbody>
                       <upsweep-nbody with full_disk.cpp> [mpiexec ...]

A trajectory is continued where it is that of the checkpoint, begins at the checkpoint under a new name, and is refused
everywhere else; files of others keep their bytes. Where the disk is full at the n-th write, the program ends with 2 and
one message, and the next run makes the trajectory whole. The first four writes are tried, then each <stride>-th.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

SUFFIX, TOP, STRIDE, READER = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
PROGRAM, ON_FULL_DISK, MPIEXEC = sys.argv[5], sys.argv[6], sys.argv[7:]
SEVERAL = SUFFIX in ("vtk", "h5")
HEAD = {"vtk": ".vtk.series"}.get(SUFFIX, f".{SUFFIX}")  # of the file that stands for the whole trajectory
START = ["--lattice", "fcc", "--cells", "5,5,5"]
PARTICLES = 500
LAST, EVERY = 40, 10


def fail(what, run=None):
    sys.exit(what if run is None else f"{what}\n{run.args}: {run.returncode}\n{run.stdout}{run.stderr}")


def nbody(folder, *words, full=0, every=EVERY, steps=LAST):
    """Runs the program; full: the number of the write from which on the disk is full."""
    options = [*words, "--steps", str(steps), "--thermo", "0", "--no-progress", "--trajectory-every", str(every)]
    environment = os.environ | {"UPSWEEP_TEST_FULL": str(full)}
    return subprocess.run([*MPIEXEC, ON_FULL_DISK if full else PROGRAM, *options], cwd=folder, env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


def trajectory(name):
    return ["--trajectory", f"{name}.{SUFFIX}"]


CHECKPOINTS = ["--checkpoint", "c", "--checkpoint-every", "15"]


def good(run):
    if run.returncode != 0:
        fail("expected 0", run)


def refused(run, says):
    messages = [line for line in run.stderr.splitlines() if line.startswith("upsweep-nbody: ")]
    # What MPI says of a file has several lines.
    if run.returncode != 2 or len(messages) != 1 or says not in run.stderr:
        fail(f"expected 2 and one message with '{says}'", run)


def contents(folder):
    return {f.name: f.read_bytes() for f in folder.iterdir()}


def frames(folder, name):
    """The frames as bytes, as a reader of the format finds them."""
    file = folder / f"{name}.{SUFFIX}"
    if SUFFIX == "vtk":
        listed = json.loads((folder / f"{name}.vtk.series").read_text())["files"]
        return [(folder / entry["name"]).read_bytes() for entry in listed]
    if SUFFIX == "h5":
        text = subprocess.run([READER, file], capture_output=True, check=True).stdout
    else:
        text = file.read_bytes()
    lines = text.splitlines()
    rows = PARTICLES + (9 if SUFFIX == "dump" else 2)
    return [lines[k:k + rows] for k in range(0, len(lines), rows)]


def expect(condition, what):
    if not condition:
        fail(what)


def empty_folder(name):
    shutil.rmtree(TOP / name, ignore_errors=True)
    (TOP / name).mkdir(parents=True)
    return TOP / name


class Others:
    """Another run's trajectories, and files of other programs, that have names like those of trajectory t."""

    def __init__(self):
        self.folder = empty_folder("others")
        for name in ("t.300", "u", "t.20.0"):
            good(nbody(self.folder, *START, "--seed", "9", *trajectory(name), every=20))
        for name in ("t.07", "t.290", "t.5", "t.20.x"):
            (self.folder / f"{name}.{SUFFIX}").write_text("of another program")
        self.contents = contents(self.folder)

    def place(self, name):
        folder = TOP / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, folder)
        return folder

    def check(self, folder):
        now = contents(folder)
        for name, data in self.contents.items():
            expect(now.get(name) == data, f"{folder / name}, a file of others, has changed or is gone")
        parts = [name for name in now if name.endswith(".part")]
        expect(not parts, f"parts are left: {parts}")


def unchanged(folder, run, says):
    before = contents(folder)
    refused(run(), says)
    expect(contents(folder) == before, f"{folder}: a refused run has changed files")


def whole_run():
    folder = empty_folder("whole")
    good(nbody(folder, *START, *trajectory("t")))
    result = frames(folder, "t")
    expect(len(result) == LAST // EVERY + 1, "the run without faults has other frames")
    return result


def restarts(others, whole):
    folder = others.place("restarts")
    good(nbody(folder, *START, *trajectory("t"), *CHECKPOINTS))
    others.check(folder)
    expect(frames(folder, "t") == whole, "beside files of others the trajectory differs")
    shutil.copy(folder / "c.previous", folder / "p")  # of step 30, whose frame is written
    # The same name.
    good(nbody(folder, "--restart", "p", *trajectory("t"), *CHECKPOINTS))
    others.check(folder)
    expect(frames(folder, "t") == whole, "the trajectory differs after a restart")
    # The name of another trajectory.
    for other in ("u", "t.300"):
        unchanged(folder, lambda name=other: nbody(folder, "--restart", "p", *trajectory(name)),
                  f"{other}{HEAD}: is not the trajectory of the checkpoint")
    # A new name: the trajectory begins at the checkpoint, and can be continued.
    good(nbody(folder, "--restart", "p", *trajectory("n"), "--checkpoint", "cn", "--checkpoint-every", "35"))
    expect(frames(folder, "n") == whole[3:], "under a new name the frames differ")
    good(nbody(folder, "--restart", "cn.previous", *trajectory("n")))
    expect(frames(folder, "n") == whole[3:], "under a new name the frames differ after a restart")
    expect(frames(folder, "t") == whole, "a run under a new name has changed the trajectory of the old one")
    # Another run has written the name since, all steps or some.
    for every in (EVERY, 20, 40):
        good(nbody(folder, *START, "--seed", "9", *trajectory("t"), "--force", every=every))
        others.check(folder)
        for checkpoint in ("p", "c"):
            unchanged(folder, lambda c=checkpoint: nbody(folder, "--restart", c, *trajectory("t")),
                      f"t{HEAD}: is not the trajectory of the checkpoint")
    others.check(folder)


def names_in_the_way(others, whole):
    folder = others.place("in_the_way")
    unchanged(folder, lambda: nbody(folder, *START, *trajectory("u")), f"u{HEAD}: exists already")
    if not SEVERAL:
        return
    # Frames without the file that lists them, and files of others that frames would replace.
    (folder / f"u{HEAD}").rename(folder / "hidden")
    unchanged(folder, lambda: nbody(folder, *START, *trajectory("u")), f"u.0.{SUFFIX}: exists already")
    (folder / "hidden").rename(folder / f"u{HEAD}")
    for of_others in ("of another program", "upsweep-nbody, step 30"):
        (folder / f"w.20.{SUFFIX}").write_text(of_others)
        unchanged(folder, lambda: nbody(folder, *START, *trajectory("w")), f"w.20.{SUFFIX}: exists already")
    (folder / f"w.20.{SUFFIX}").unlink()
    good(nbody(folder, *START, *trajectory("w.20")))
    if SUFFIX == "h5":
        # The index of w.20.h5 has the name of a part of w.h5.
        unchanged(folder, lambda: nbody(folder, *START, *trajectory("w")), "w.20.h5: exists already")
    others.check(folder)


def full_disks(what, prepare, first, again, forced, expected, others):
    """first: the run whose writes fail; again: the run from the checkpoint that it has left, or forced from before."""
    write = failures = 0
    while True:
        write += 1 if write < 4 else STRIDE
        folder = prepare()
        run = nbody(folder, *first, full=write)
        others.check(folder)
        if run.returncode == 0:
            break
        refused(run, "No space left on device")
        expect("error stack" not in run.stderr, f"{what}: MPI's stack is in the message: {run.stderr}")
        failures += 1
        run = nbody(folder, *(again if (folder / "c").exists() else forced))
        if run.returncode != 0:
            fail(f"{what}: behind a failure of write {write}", run)
        others.check(folder)
        name = first[first.index("--trajectory") + 1].split(".")[0]
        expect(frames(folder, name) == expected, f"{what}: the trajectory differs behind a failure of write {write}")
    expect(failures > 2, f"{what}: only {failures} writes failed")
    print(f"{what}: {failures} failed writes")


def on_full_disks(others, whole):
    start = [*START, *trajectory("t"), *CHECKPOINTS]
    full_disks("first start", lambda: others.place("full"), start, ["--restart", "c", *trajectory("t")],
               [*start, "--force"], whole, others)
    prepared = others.place("prepared")
    good(nbody(prepared, *START, *trajectory("t"), "--checkpoint", "c", "--checkpoint-every", "15"))
    (prepared / "c").unlink()
    (prepared / "c.previous").rename(prepared / "p")

    def copy():
        shutil.rmtree(TOP / "full", ignore_errors=True)
        return Path(shutil.copytree(prepared, TOP / "full"))

    for what, name, expected in (("same name", "t", whole), ("new name", "n", whole[3:])):
        restart = ["--restart", "p", *trajectory(name), *CHECKPOINTS]
        full_disks(what, copy, restart, ["--restart", "c", *trajectory(name)], [*restart, "--force"], expected, others)


def main():
    whole = whole_run()
    others = Others()
    restarts(others, whole)
    names_in_the_way(others, whole)
    on_full_disks(others, whole)


main()
