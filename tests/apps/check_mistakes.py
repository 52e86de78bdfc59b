#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""All programs refuse the same mistakes alike: exit code 2, one line that names what is wrong, and no file left.

usage: check_mistakes.py FOLDER_OF_PROGRAMS
"""

import os
import struct
import subprocess
import sys
import tempfile

# Good options of each program that reads points: --box comes first, the file of points last.
READERS = {
    "upsweep-nbody": ["--box", "9,9,9", "--steps", "0", "--no-progress", "--input"],
    "upsweep-clusters": ["--box", "9,9,9", "--linking-length", "1", "--input"],
    "upsweep-surface": ["--box", "9,9,9", "--radius", "1", "--input"],
    "upsweep-interpolate": ["--box", "9,9,9", "--values", "v.npy", "--radius", "1", "--grid", "2,2,2"]
    + ["--output", "out.npy", "--input"],
}
# Files that they write, beside reports.
OUTPUTS = (
    ("upsweep-clusters", "--catalogue", "c"),
    ("upsweep-surface", "--output", "m.ply"),
    ("upsweep-interpolate", "--output", "out.npy"),
    ("upsweep-nbody", "--rdf", "g.txt"),
)
# One of these that is a single file.
OUTPUT_FILES = {
    "upsweep-clusters": "--plot",
    "upsweep-surface": "--output",
    "upsweep-interpolate": "--output",
    "upsweep-nbody": "--checkpoint",
}
# A number that each program takes.
NUMBERS = {
    "upsweep-nbody": "--dt",
    "upsweep-clusters": "--linking-length",
    "upsweep-surface": "--radius",
    "upsweep-interpolate": "--radius",
    "upsweep-study": "--sizes",
}
# Up to it neighbours are sought.
REACHES = {
    "upsweep-nbody": "--cutoff",
    "upsweep-clusters": "--linking-length",
    "upsweep-surface": "--radius",
    "upsweep-interpolate": "--radius",
}


def write_npy(name, descr, shape, data):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def make_files():
    write_npy("good.npy", "<f8", (2, 3), struct.pack("<6d", 1, 1, 1, 4, 4, 4))
    write_npy("v.npy", "<f8", (2,), struct.pack("<2d", 1, 2))
    write_npy("text.npy", "<U1", (2, 3), b"\0" * 24)
    write_npy("flat.npy", "<f8", (6,), struct.pack("<6d", 1, 1, 1, 4, 4, 4))
    write_npy("nan.npy", "<f8", (2, 3), struct.pack("<6d", 1, 1, 1, 4, float("nan"), 4))
    write_npy("short.npy", "<f8", (2, 3), struct.pack("<5d", 1, 1, 1, 4, 4))
    open("empty.npy", "w").close()
    with open("t.dump", "w", encoding="utf-8") as file:
        file.write("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n")
    with open("t.npz", "wb") as file:
        file.write(b"PK\3\4\0\0")
    os.mkdir("folder.npy")
    with open("bad.toml", "w", encoding="utf-8") as file:
        file.write("frob = 1\n")
    with open("line.toml", "w", encoding="utf-8") as file:
        file.write("# a comment\n\nsteps 100\n")
    for program, number in NUMBERS.items():
        with open(program + ".toml", "w", encoding="utf-8") as file:
            file.write(f"# a comment\n{number[2:]} = 'fast'\n")
    with open("options.ply", "w", encoding="utf-8") as file:
        file.write("# no option\n")


def files():
    """What is in the folder, with the bytes of files."""
    contents = {}
    for name in sorted(os.listdir(".")):
        if os.path.isdir(name):
            contents[name] = None
            continue
        with open(name, "rb") as file:
            contents[name] = file.read()
    return contents


def without(arguments, option):
    """The arguments, less this option and its value."""
    if option not in arguments:
        return arguments
    at = arguments.index(option)
    return arguments[:at] + arguments[at + 2 :]


def mistakes():
    """Rows of a program, its arguments, and what the message names."""
    for program, options in READERS.items():
        good = [*options, "good.npy"]
        for name in ("none", "folder", "empty", "text", "flat", "nan", "short"):
            yield program, [*options, name + ".npy"], name + ".npy"
        yield program, [*options[2:], "none.extxyz"], "none.extxyz"  # without --box, which it has itself
        yield program, [*options, "none.extxyz"], "--box"
        # A LAMMPS dump, and a NumPy archive: the formats that are read are named.
        for name in ("t.dump", "t.npz"):
            named = "read are LAMMPS data, extended XYZ (.xyz, .extxyz), both also with .gz, and NumPy (.npy)"
            yield program, [*options[2:], name], named
        counts = "2, 3 or 6" if program == "upsweep-interpolate" else "3 or 6"
        for box in ("9", "9,9,9,9", "9,9,9,9,9", "9,9,9,0,0,0,0", "9,0,9", "9,9,x"):
            yield program, ["--box", box, *good[2:]], f"--box {box}: expected {counts} finite numbers"
        yield program, [*good, "--atom-style", "full"], "--atom-style full"
        yield program, [*good, "--open", "xw"], "xw"
        yield program, [*good, "--report", "none/r.json"], "none/r.json"
        yield program, [*good, "--report", "folder.npy"], "folder.npy"
        yield program, [*good, "--input", "good.npy"], "--input"
        yield program, [*good, "--origin", "1,1,1,1"], "--origin 1,1,1,1"
        # What is read is not written, whatever is forced.
        forced = [*good, "--config", "options.ply", "--force"]
        for read, option in (("good.npy", "--input"), ("options.ply", "--config")):
            yield program, [*forced, "--report", read], f"--report {read}: is the same file as that of {option}"
        output = OUTPUT_FILES[program]
        forced = [*without(forced, output), output, "options.ply"]
        yield program, forced, f"{output} options.ply: is the same file as that of --config"
        reach = REACHES[program]
        for number in ("0", "1e300", "1e-300"):
            named = f"{program}: {reach} {number}: expected a finite number greater than 0, and so its square"
            yield program, [*without(good, reach), reach, number], named
        if program != "upsweep-interpolate":  # which always writes a file
            yield program, [*good, "--force"], "--force: expected a file to write, too"
    for program, output, name in OUTPUTS:
        good = without([*READERS[program], "good.npy"], output)
        yield program, [*good, output, "v.npy/" + name], "v.npy"
    # Nobody can start without a start, so this is said first.
    start = "--input (none): expected either --input FILE or --lattice fcc --cells a,b,c, or --restart FILE"
    for words in (["--box", "9,9,9"], ["--cells", "2,2,2"], ["--steps", "3"], []):
        yield "upsweep-nbody", words, start
    study = ["--config", "options.ply", "--csv", "options.ply"]
    yield "upsweep-study", study, "--csv options.ply: is the same file as that of --config"
    for option in ("--csv", "--plot"):
        kept = f"{option} v.npy: exists, and is no file of upsweep-study (--force replaces it)"
        yield "upsweep-study", ["--sizes", "8", option, "v.npy"], kept
    yield "upsweep-study", ["--csv", "-", "--force"], "--force: expected a file to write, too"
    for program, number in NUMBERS.items():
        good = [*READERS[program], "good.npy"] if program in READERS else []
        yield program, [*good, "--frob", "3"], f"{program}: --frob: expected an option of {program} (see --help)"
        yield program, [*good, "stray"], f"{program}: stray: expected an option of {program} (see --help)"
        yield program, [*without(good, number), number, "fast"], number + " fast"
        yield program, [*without(good, number), number], f"{program}: {number}: expected a value (see --help)"
        twice = [*without(good, number), number, "1", number, "1"]
        yield program, twice, f"{program}: {number}: expected one value (see --help)"
        yield program, [*good, "--force=no"], f"{program}: --force: expected no value (see --help)"
        yield program, [*good, "--config", "none.toml"], "none.toml"
        yield program, [*good, "--config", "bad.toml"], f"bad.toml:1: 'frob': expected an option of {program}"
        yield program, [*good, "--config", "line.toml"], "line.toml:3: 'steps 100': expected OPTION = VALUE"
        value = ["--config", program + ".toml"]
        yield program, [*without(good, number), *value], f"{program}.toml:2: {number} fast: expected"


def main():
    folder = os.path.abspath(sys.argv[1])
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        make_files()
        before = files()
        for program, arguments, named in mistakes():
            done = subprocess.run(
                [os.path.join(folder, program), *arguments], capture_output=True, text=True, timeout=60, check=False
            )
            good = (
                done.returncode == 2
                and done.stdout == ""
                and done.stderr.startswith(program + ": ")
                and done.stderr.count("\n") == 1
                and named in done.stderr
                and files() == before
            )
            if not good:
                wrong.append(f"{program} {' '.join(arguments)}: {done.returncode}, {done.stderr!r}, {list(files())}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
