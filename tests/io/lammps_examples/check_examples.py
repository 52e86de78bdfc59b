# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""No data file of LAMMPS' examples is misread: check_examples.py <print_atoms> <folder of examples>

The input scripts beside a file say its atom style. Each file is read without a style and with it, and must give the
atoms that this script finds by the columns of that style in LAMMPS' manual; or it is refused. Says with 77 that the
folder is not there.
"""

import fnmatch
import gzip
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

# LAMMPS' manual, command read_data: the columns of the section Atoms.
COLUMNS = {
    "amoeba": "id molecule type q x y z",
    "angle": "id molecule type x y z",
    "apip": "id type x y z",
    "atomic": "id type x y z",
    "body": "id type - - x y z",
    "bond": "id molecule type x y z",
    "bpm/sphere": "id molecule type diameter density x y z",
    "charge": "id type q x y z",
    "dielectric": "id molecule type q x y z - - - - - - - -",
    "dipole": "id type q x y z mux muy muz",
    "dpd": "id type - x y z",
    "edpd": "id type - - x y z",
    "electron": "id type q - - x y z",
    "ellipsoid": "id type shapeflag density x y z",
    "full": "id molecule type q x y z",
    "line": "id molecule type - - x y z",
    "mdpd": "id type - x y z",
    "meso": "id type - - - x y z",
    "mesont": "id molecule type - - - - - - x y z",
    "molecular": "id molecule type x y z",
    "oxdna": "id type x y z",
    "peri": "id type - - x y z",
    "rheo": "id type - - x y z",
    "rheo/thermal": "id type - - - x y z",
    "smd": "id type molecule - - radius - - - - x y z",
    "sph": "id type - - - x y z",
    "sphere": "id type diameter density x y z",
    "spin": "id type x y z - - - -",
    "tdpd": "id type x y z",
    "template": "id molecule index atom type x y z",
    "tri": "id molecule type - - x y z",
    "wavepacket": "id type q - - - - - x y z",
}


def columns_of(style):
    """The names of the columns of a style such as "hybrid bond ellipsoid"."""
    words = style.split()
    if words[0] != "hybrid":
        return COLUMNS[words[0]].split() + ["-"] * (int(words[1]) if words[0] == "tdpd" else 0)
    names = ["id", "type", "x", "y", "z"]
    for word in words[1:]:
        for name in COLUMNS.get(word, "").split():
            if name == "-" or name not in names:
                names.append(name)
    return names


def text_of(path):
    opened = gzip.open(path, "rt", errors="replace") if path.suffix == ".gz" else path.open(errors="replace")
    with opened as file:
        return file.read()


def is_data(text):
    return all(re.search(what, text, re.MULTILINE) for what in (r"xlo\s+xhi", r"^\s*\d+\s+atoms\b", r"^\s*Atoms\b"))


def commands_of(path, seen=()):
    """The commands of an input script and of those that it includes."""
    if path in seen or not path.is_file():
        return
    for line in re.sub(r"&\s*\n", " ", path.read_text(errors="replace")).splitlines():
        words = line.split("#")[0].replace('"', "").split()
        if len(words) > 1 and words[0] == "include":
            yield from commands_of((path.parent / words[1]).resolve(), (*seen, path))
        elif len(words) > 1:
            yield words


def styles_of_files(root, files):
    """For each data file the styles in which input scripts read it. Where none does, the one that LAMMPS wrote behind
    Atoms, or those of all scripts in the smallest folder around it that has some."""
    styles = {file: set() for file in files}
    unnamed = {file: set() for file in files}  # by scripts without atom_style, to which LAMMPS gives atomic
    of_folder = {}
    for script in sorted(root.rglob("*")):
        if script in styles or script.name.startswith("log") or not script.is_file() or script.stat().st_size > 1 << 20:
            continue
        style = None
        for words in commands_of(script):
            if words[0] == "atom_style":
                style = " ".join(words[1:])
                of_folder.setdefault(script.parent, set()).add(style)
            elif words[0] == "read_data":
                # Variables may be anything.
                pattern = re.sub(r"\$\{.*?\}|\$\(.*?\)|\$\w", "*", str(script.parent / words[1]))
                for file in fnmatch.filter(map(str, files), pattern):
                    (styles if style else unnamed)[Path(file)].add(style or "atomic")
    for file, text in files.items():
        written = re.search(r"^\s*Atoms\s*#\s*(\w+)\s*$", text, re.MULTILINE)
        styles[file] = styles[file] or unnamed[file]
        if not styles[file] and written and written.group(1) in COLUMNS:
            styles[file] = {written.group(1)}
        for folder in file.parents:
            if not styles[file] and folder.is_relative_to(root):
                styles[file] = set().union(*(of_folder[f] for f in of_folder if f.is_relative_to(folder)))
    return styles


def labels_of(lines):
    """The types of atoms that a file has names for."""
    labels = {}
    for line in (line.split("#")[0].split() for line in lines):
        if line == ["Atom", "Type", "Labels"]:
            labels = {"": 0}
        elif labels and len(line) == 2 and line[0].isdigit():
            labels[line[1]] = int(line[0])
        elif labels and line:
            break
    return labels


def parsed(text, names):
    """The atoms of a file by the names of its columns: rows as print_atoms has them, by id."""
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if re.match(r"\s*Atoms\b", line))
    count = int(next(m.group(1) for m in (re.match(r"\s*(\d+)\s+atoms\b", line) for line in lines) if m))
    labels = labels_of(lines)
    at = {name: names.index(name) for name in names if name != "-"}
    rows = {}
    for line in lines[start + 2 :]:  # LAMMPS skips the next line, whatever it holds
        words = line.split("#")[0].split()
        if not words:
            continue
        if len(rows) == count:
            break
        assert len(words) in (len(names), len(names) + 3), f"{len(words)} columns, not {len(names)}: {line}"
        flags = [int(word) for word in words[len(names) :]] or [0, 0, 0]
        rows[int(words[0])] = {
            "type": labels.get(words[at["type"]]) or int(words[at["type"]]),
            "x": [float(words[at[c]]) for c in "xyz"],
            "flags": flags,
            "molecule": int(words[at["molecule"]]) if "molecule" in at else None,
            "q": float(words[at["q"]]) if "q" in at else None,
            "radius": float(words[at["radius"]]) if "radius" in at
            else 0.5 * float(words[at["diameter"]]) if "diameter" in at else None,
        }
    assert len(rows) == count, f"{len(rows)} atoms, not {count}"
    return rows


def printed(text):
    rows = {}
    for line in text.splitlines():
        words = line.split()
        rows[int(words[0])] = {
            "type": int(words[1]),
            "x": [float(word) for word in words[2:5]],
            "flags": [int(word) for word in words[5:8]],
            "molecule": None if words[8] == "-" else int(words[8]),
            "q": None if words[9] == "-" else float(words[9]),
            "radius": None if words[10] == "-" else float(words[10]),
        }
    return rows


def outcome(program, file, style, expected):
    """'read', or the reason why the file is refused. Fails where it is misread."""
    done = subprocess.run([program, file, *style], capture_output=True, text=True, check=False)
    if done.returncode == 2:
        return done.stderr.strip().removeprefix(f"{file}:")
    assert done.returncode == 0, f"{file}: exit code {done.returncode}: {done.stderr}"
    got = printed(done.stdout)
    assert any(got == rows for rows in expected), f"{file}: misread, {style or 'no style given'}"
    return "read"


def main():
    program, root = sys.argv[1], Path(sys.argv[2]).resolve()
    if not root.is_dir():
        print(f"skipped: no folder {root}, which the Debian package lammps-examples makes")
        sys.exit(77)
    texts = {}
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink() and is_data(text := text_of(path)):
            texts[path] = text
    styles = styles_of_files(root, texts)
    counts = Counter()
    for file, text in texts.items():
        expected, unfit = [], []
        for style in sorted(styles[file]):
            try:
                expected.append((style, parsed(text, columns_of(style))))
            except (AssertionError, KeyError, ValueError) as e:
                unfit.append(f"{style}: {e}")
        place = file.relative_to(root)
        assert expected, f"{place}: the atoms have not the columns of its style: {'; '.join(unfit)}"
        alone = outcome(program, file, [], [rows for _, rows in expected])
        counts["by its own name or columns" if alone == "read" else "refused without a style"] += 1
        for style, rows in expected:
            how = outcome(program, file, [style], [rows])
            counts["with the style of its script" if how == "read" else "refused with it"] += 1
            if how != "read":
                print(f"{place}, {style}: {how}")
            elif alone != "read":
                assert "atom_style" in alone, f"{place}: the message does not say how to read it: {alone}"
    print(f"{len(texts)} files")
    for what, n in sorted(counts.items()):
        print(f"{n} {what}")
    # The release of 2022 has 266 files, 252 of which can be read.
    assert counts["with the style of its script"] > 200, "most files are refused, or missing"


if __name__ == "__main__":
    main()
