# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Runs the commands that pages show: check_commands.py --source DIR --build DIR --folder WORK -- mpiexec -n

Blocks of `sh` have a command a line, blocks of `console` have commands behind `$ ` and below each what it prints, in
which `...` stands for any text, or in a line of its own for any lines. Programs, tools and blocks of `python` run in a
folder for each page, one after the other, so that a page may use what it has made. What compiles, measures or
configures is not run: its targets, presets, variables and options have to exist (known.py). So do options of commands
within sentences. A block that is not looked at says why behind its language, `sh no-test: <reason>`, and the reason is
one of NO_TEST.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "layers"))
from commands import Command, NO_TEST, commands_of, matches
from known import Known
from pages import blocks_of, pages_of

# What the reader of a page has, and the page does not make: commands that run before those of the page.
NPY = "import numpy; r = numpy.random.default_rng(1); save = lambda n, *s: numpy.save(n, r.random(s)); "
BEFORE = {
    "README.md": ["cp perf/results/xeon-2core-2026-11-21-scan.csv old-scan.csv && cp old-scan.csv new-scan.csv"],
    "docs/groups_of_points.md": [f"python3 -c '{NPY}numpy.save(\"points.npy\", 10 * r.random((5000, 3)))'"],
    "docs/interpolation.md": [
        f"python3 -c '{NPY}save(\"p.npy\", 9000, 3); save(\"v.npy\", 9000); save(\"t.npy\", 99, 3)'"
    ],
    "docs/nbody.md": ["upsweep-nbody --lattice fcc --cells 5,5,5 --steps 10 --checkpoint melt.checkpoint"],
    "docs/surfaces.md": [
        "cp data/lj32000_step0.data.gz melt.data.gz && mkdir -p docs/figures",
        f"python3 -c '{NPY}save(\"density.npy\", 20, 20, 20); numpy.save(\"positions.npy\", 10 * r.random((500, 3)))'",
    ],
}
# The ./dev of the folders in which commands run: programs are built already, and on the PATH.
DEV = """\
#!/bin/sh
case $1 in
  run) shift 2; exec "$@" ;;
  mpirun) ranks=$3; shift 4; exec MPIEXEC "$ranks" "$@" ;;
esac
echo "the ./dev of this folder has no command $1" >&2
exit 2
"""
# What takes longest; only the long test runs it.
LONG = "draw_mesh.py"
TIMEOUT = 300  # of a command, in seconds, on a busy machine
# Commands that have to be found wrong.
WRONG = [
    "./dev frobnicate",
    "./dev demo --fast",
    "./dev build no-such-target",
    "./dev bench --no-such-option 1",
    "./dev tables --no-such-option 1",
    "perf/tables cuda --no-such-option",
    "cmake --preset gpu",
    "cmake --build build/gpu",
    "cmake --build build/openmp --target no-such-target",
    "cmake --preset openmp --fresh",
    "cmake -S no-such-folder -B build/x -G Ninja",
    "ctest --test-dir build/gpu -LE long",
    "build/openmp/bin/upsweep-perf --no-such-option",
    "build/examples/99_nothing",
    "upsweep-perf --no-such-option",
    "frobnicate",
]


def make_folder(folder, source, mpiexec):
    """What commands of pages find below the folder that they run in."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("data", "tools", "perf/results", "perf/plot", "perf/compare", "perf/results_csv.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (source / name).is_dir() else shutil.copy)(source / name, folder / name)
    (folder / "dev").write_text(DEV.replace("MPIEXEC", " ".join(mpiexec)))
    (folder / "dev").chmod(0o755)


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command, folder, programs):
    """What is wrong with a command that has run, or None. The shown output of one that ends with a message of a program
    is that of an error."""
    path = f"{programs}:{os.environ['PATH']}"
    words = ["python3", "-c", command.text] if command.language == "python" else ["bash", "-euc", command.text]
    before = processor_seconds()
    try:
        done = subprocess.run(words, cwd=folder, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"took more than {TIMEOUT} s"
    print(f"{processor_seconds() - before:6.1f} s  {command.where}: {command.text.splitlines()[0]}")
    shown = command.output or []
    expected = 2 if shown and re.match(r"upsweep-\w+: ", shown[-1]) else 0
    if done.returncode != expected:
        return f"ended with {done.returncode}, not {expected}:\n{done.stdout}"
    if command.output is not None and not matches(shown, done.stdout.rstrip("\n").split("\n")):
        return f"printed\n{done.stdout}"
    return None


def check_the_check(known):
    """What is wrong with the test itself."""
    wrong = [f"nothing is found wrong with {text}" for text in WRONG if not known.check(Command("", "sh", text, None))]
    blocks = "```sh no-test: takes long\na\n```\n```\n./dev demo\n```\n```bash\na\n```\n```toml\na = 1\n```\n"
    found, refused = commands_of("page", blocks_of(blocks))
    if found or len(refused) != 3:
        wrong.append(f"of three blocks that nobody looks at these are found: {refused}")
    if len(known.check_text("page", "`upsweep-perf --no-such-option 1`, `-DUpsweep_NO_SUCH=ON`")) != 2:
        wrong.append("an option and a variable within a sentence are not found wrong")
    shown = ["a ... c", "...", "last"]
    for printed, expected in ((["a b c", "x", "y", "last"], True), (["a c", "last"], False), (["a b c", "las"], False)):
        if matches(shown, printed) != expected:
            wrong.append(f"{shown} and {printed} match, or not, against what is right")
    return wrong


def check_page(page, source, folder, known, programs, mpiexec, skip):
    where = page.relative_to(source).as_posix()
    text = page.read_text()
    wrong, number, made = [], 0, False
    commands, refused = commands_of(where, blocks_of(text))
    wrong += refused
    known.configured = {"dev"}
    wrong += known.check_text(where, text)
    for command in commands:
        number += 1
        if not known.runs(command):
            wrong += [f"{command.where}: {what}" for what in known.check(command)]
            continue
        if skip and re.search(skip, command.text):
            print(f"not run here: {command.where}: {command.text}")
            continue
        if not made:
            make_folder(folder, source, mpiexec)
            made = True
            for line in BEFORE.get(where, []):
                if failed := run(Command("before", "sh", line, None), folder, programs):
                    return [f"{where}: {line}: {failed}"], number
        if failed := run(command, folder, programs):
            wrong.append(f"{command.where}: {command.text}\n{failed}")
    return wrong, number


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "build", "folder"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--skip", default="", help="commands that match it need what this build does not have")
    parser.add_argument("--long", action="store_true", help="run what takes long, too")
    parser.add_argument("mpiexec", nargs="+")
    arguments = parser.parse_args()
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: no numpy")
        return 77
    if not shutil.which("gnuplot"):
        print("skipped: no gnuplot")
        return 77

    source, programs = arguments.source.resolve(), arguments.build.resolve() / "bin"
    known = Known(source, arguments.build.resolve())
    wrong, number = check_the_check(known), 0
    skip = "|".join(filter(None, [arguments.skip, "" if arguments.long else LONG]))
    for page in pages_of(source):
        folder = arguments.folder.resolve() / page.relative_to(source).with_suffix("")
        more, found = check_page(page, source, folder, known, programs, arguments.mpiexec, skip)
        wrong += more
        number += found
    unknown = set(BEFORE) - {page.relative_to(source).as_posix() for page in pages_of(source)}
    wrong += [f"BEFORE has a page {name} that does not exist" for name in unknown]
    print(*wrong, sep="\n")
    print(f"{number} commands, {len(wrong)} of them wrong; reasons that blocks may have: {', '.join(NO_TEST)}")
    return 1 if wrong or number < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
