#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""A program that ./dev run or ./dev mpirun starts gets the SIGTERM and SIGINT that ./dev gets, and its exit code is
that of ./dev: on the host, and in the default environment, for which a stand-in of bwrap is enough.

usage: check_dev_signals.py SOURCE_DIR
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# As bwrap: a process that waits, the first one inside, and the program. What is inside dies with it, and it passes no
# signals on.
BWRAP = """#!{python}
import ctypes, os, sys
command = sys.argv[sys.argv.index("--") + 1 :]
def start(run):
    pid = os.fork()
    if pid == 0:
        ctypes.CDLL(None).prctl(1, 9)  # die with the parent
        os._exit(run())
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(start(lambda: start(lambda: os.execvp(command[0], command))))
"""
MPIEXEC = '#!/bin/sh\n[ "$1" = --version ] && exit\nshift 2\nexec "$@"\n'
PROGRAM = 'trap "echo TERM; exit 7" TERM; trap "echo INT; exit 8" INT; echo ready; i=0; '
PROGRAM += 'while [ $((i += 1)) -lt 1000 ]; do sleep 0.02; done'


def make_machine(source, folder):
    """A source tree with nothing but ./dev, programs that it calls, and an empty default environment."""
    shutil.copy(source / "dev", folder / "dev")
    for name in ("dev", "debian"):
        shutil.copytree(source / "tools" / name, folder / "tools" / name)
    programs = folder / "bin"
    programs.mkdir()
    for name, text in (("bwrap", BWRAP.format(python=sys.executable)), ("mpiexec", MPIEXEC)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    shutil.copy(programs / "bwrap", programs / "mmdebstrap")  # looked for, never called
    debian = folder / "tools" / "debian"
    key = hashlib.sha256((debian / "packages").read_bytes() + (debian / "setup_root.sh").read_bytes()).hexdigest()
    (folder / "cache" / "upsweep" / f"debian-{key[:12]}").mkdir(parents=True)
    (folder / "build").mkdir()


def signal_reaches_program(folder, kind, command, number):
    (folder / "build" / "dev.environment").write_text(kind + "\n")
    environment = {key: value for key, value in os.environ.items() if key != "UPSWEEP_ENV"}
    environment |= {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(folder / "cache")}
    run = subprocess.Popen([folder / "dev", *command, "--", "sh", "-c", PROGRAM], env=environment, text=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        head = run.stdout.readline()
        run.send_signal(number)
        rest = run.communicate(timeout=20)[0]
    finally:
        run.kill()
    found = (head + rest, run.returncode)
    expected = ("ready\nTERM\n", 7) if number == signal.SIGTERM else ("ready\nINT\n", 8)
    if found != expected:
        print(f"{kind}, {command}, {number!r}: {found}, expected {expected}")
    return found == expected


def main():
    if os.readlink("/proc/self") != str(os.getpid()):  # a container that numbers processes otherwise
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_machine(Path(sys.argv[1]).resolve(), folder)
        good = [signal_reaches_program(folder, kind, command, number)
                for kind in ("host", "debian")
                for command in (["run"], ["mpirun", "-n", "1"])
                for number in (signal.SIGTERM, signal.SIGINT)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
