#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Makes the data files and expected.csv of this folder: make.py <folder of lammps-examples> <output folder>

Needs LAMMPS (`lmp`), ASE, SciPy and NumPy; README.md says how to get them. Four codes count the pairs of every case,
each in its own way, and a case is written only if all that can count it agree.
"""

import gzip
import itertools
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from ase import Atoms
from ase.neighborlist import neighbor_list
from scipy.spatial import cKDTree

from systems import SYSTEMS

STYLES = {"atomic": (1, 2), "charge": (1, 3), "molecular": (2, 3), "full": (2, 4), "sphere": (1, 4)}  # columns: type, x


def numbers(words):
    return [repr(float(word)) for word in words]


class System:
    """Box, types, positions and bonds of a file; numbers as the shortest text that reads back as the same double."""

    def __init__(self, path, style):
        lines = [line.split("#")[0].strip() for line in path.read_text().splitlines()]
        self.box = {}
        self.atoms, self.bonds, section = [], [], None
        for line in lines[1:]:
            words = line.split()
            if not words:
                continue
            if words[0][0].isalpha():
                section = words[0] if len(words) == 1 else None
            elif section == "Atoms":
                kind, x = STYLES[style]
                self.atoms.append((int(words[0]), int(words[kind]), numbers(words[x:x + 3])))
            elif section == "Bonds":
                self.bonds.append((int(words[2]), int(words[3])))
            elif words[-1] in ("xhi", "yhi", "zhi"):
                self.box[words[-1][0]] = numbers(words[:2])
            elif words[-1] == "yz":
                self.box["tilt"] = numbers(words[:3])
        self.atoms.sort()
        rank = {atom[0]: i for i, atom in enumerate(self.atoms)}
        self.bonds = sorted({tuple(sorted((rank[a], rank[b]))) for a, b in self.bonds})
        self.types = np.array([atom[1] for atom in self.atoms])
        self.x = np.array([[float(word) for word in atom[2]] for atom in self.atoms])
        self.lo = np.array([float(self.box[d][0]) for d in "xyz"])
        length = np.array([float(self.box[d][1]) for d in "xyz"]) - self.lo
        xy, xz, yz = (float(word) for word in self.box.get("tilt", (0, 0, 0)))
        self.cell = np.array([[length[0], 0, 0], [xy, length[1], 0], [xz, yz, length[2]]])

    def text(self, bonds=False):
        """Box, types and positions, and bonds if wanted; the file that is shipped has those that a case needs."""
        lines = ["Coordinates from the examples of LAMMPS; see README.md", "", f"{len(self.atoms)} atoms"]
        lines += [f"{len(self.bonds)} bonds", "1 bond types"] if bonds else []
        lines += [f"{self.types.max()} atom types"]
        lines += [f"{self.box[d][0]} {self.box[d][1]} {d}lo {d}hi" for d in "xyz"]
        if "tilt" in self.box:
            lines.append(" ".join(self.box["tilt"]) + " xy xz yz")
        lines += ["", "Atoms # " + ("bond" if bonds else "atomic"), ""]
        lines += [f"{i + 1} {'1 ' if bonds else ''}{atom[1]} {' '.join(atom[2])}" for i, atom in enumerate(self.atoms)]
        if bonds:
            lines += ["", "Bonds", ""] + [f"{k + 1} 1 {a + 1} {b + 1}" for k, (a, b) in enumerate(self.bonds)]
        return "\n".join(lines) + "\n"

    def special(self):
        """Pairs (i, j) that one, two or three bonds join, in both directions."""
        near = [set() for _ in self.atoms]
        for a, b in self.bonds:
            near[a].add(b)
            near[b].add(a)
        pairs = set()
        for i in range(len(near)):
            reached = {i}
            for _ in range(3):
                reached |= set().union(*(near[j] for j in reached))
            pairs |= {(i, j) for j in reached - {i}}
        return pairs


def radius_of(kind, cutoff):
    return cutoff / (kind + 1)


def limits(system, rule, cutoff):
    """The largest distance of each pair of types (a, b), counted from 1."""
    n = system.types.max() + 1
    table = np.full((n, n), cutoff)
    if rule == "types":
        np.fill_diagonal(table, 0.75 * cutoff)
    if rule == "radii":
        radius = np.array([0.0] + [radius_of(t, cutoff) for t in range(1, n)])
        table = radius[:, None] + radius[None, :]
    return table


def images(system, cutoff, periodic):
    """Wrapped positions, and every shift that can bring an atom within the cutoff of another one."""
    inverse = np.linalg.inv(system.cell)
    fraction = (system.x - system.lo) @ inverse
    whole = np.where(periodic, np.floor(fraction), 0)
    # Fractions of two wrapped atoms differ by less than 1, except for rounding.
    reach = [math.floor(cutoff * np.linalg.norm(inverse[:, d]) + 1 + 1e-9) if periodic[d] else 0 for d in range(3)]
    ranges = [range(-r, r + 1) for r in reach]
    return system.x - whole @ system.cell, [np.array(s) @ system.cell for s in itertools.product(*ranges)]


def count_numpy(system, table, periodic, dropped):
    """Rows' lengths from all distances, and how near the nearest distance is to its limit."""
    x, shifts = images(system, table.max(), periodic)
    n = len(x)
    limit = table[system.types[:, None], system.types[None, :]]
    keep = np.ones((n, n), bool)
    for i, j in dropped:
        keep[i, j] = False
    rows, gap = np.zeros(n, int), np.inf
    for shift in shifts:
        d = np.zeros((n, n))
        for k in range(3):
            d += (x[None, :, k] - x[:, None, k] + shift[k]) ** 2
        d = np.sqrt(d)
        if not shift.any():
            np.fill_diagonal(d, np.inf)
        gap = min(gap, np.abs(d / limit - 1).min())
        rows += ((d <= limit) & keep).sum(axis=1)
    return rows, gap


def count_ase(system, table, periodic, dropped, rule, cutoff):
    atoms = Atoms(numbers=system.types, positions=system.x - system.lo, cell=system.cell, pbc=periodic)
    limit = table.max()
    if rule == "types":
        kinds = np.unique(system.types)
        limit = {(int(a), int(b)): table[a, b] for a in kinds for b in kinds if a <= b}
    if rule == "radii":
        limit = [radius_of(t, cutoff) for t in system.types]
    i, j = neighbor_list("ij", atoms, limit)
    if dropped:
        ours = np.array(sorted(a * len(system.x) + b for a, b in dropped))
        i = i[~np.isin(i * len(system.x) + j, ours)]
    return np.bincount(i, minlength=len(system.x))


def count_scipy(system, table, periodic, dropped):
    """k-d trees of the atoms and of their images, a pair of types at a time."""
    x, shifts = images(system, table.max(), periodic)
    low, high = x.min(axis=0) - table.max(), x.max(axis=0) + table.max()
    ghosts = np.concatenate([x + shift for shift in shifts])
    owner = np.tile(np.arange(len(x)), len(shifts))
    near = ((ghosts >= low) & (ghosts <= high)).all(axis=1)
    ghosts, owner = ghosts[near], owner[near]
    rows = np.zeros(len(x), int)
    for a, b in itertools.product(np.unique(system.types), repeat=2):
        mine, theirs = np.flatnonzero(system.types == a), np.flatnonzero(system.types[owner] == b)
        found = cKDTree(ghosts[theirs]).query_ball_point(x[mine], table[a, b])
        for i, hits in zip(mine, found):
            rows[i] += sum((i, j) not in dropped for j in owner[theirs[hits]]) if dropped else len(hits)
    return rows - 1  # each finds itself


def count_lammps(system, table, periodic, dropped):
    """The neighbour list's own size, twice its half list, and the rows of compute coord/atom where one cutoff holds."""
    one = np.ptp(table[1:, 1:]) == 0
    bonded = bool(dropped)
    kinds = range(1, system.types.max() + 1)
    script = ["units lj", "atom_style " + ("bond" if bonded else "atomic")]
    script += ["boundary " + " ".join("fp"[int(p)] for p in periodic), "atom_modify sort 0 0", "newton on"]
    script += ["bond_style zero", "special_bonds lj/coul 0 0 0"] if bonded else []
    script += ["box tilt large", "read_data system.data", "mass * 1.0", f"pair_style zero {float(table.max())!r}"]
    script += ["bond_coeff *"] if bonded else []
    script += [f"pair_coeff {a} {b} {float(table[a, b])!r}" for a in kinds for b in kinds if a <= b]
    # LAMMPS has no bins for boxes very much thinner than the cutoff.
    search = "nsq" if system.cell.diagonal().min() < 0.001 * table.max() else "bin"
    script += [f"neighbor 0.0 {search}", "neigh_modify one 100000 page 4000000", "run 0"]
    if one:
        script += [f"compute c all coord/atom cutoff {float(table.max())!r}", "dump d all custom 1 rows.txt id c_c",
                   "dump_modify d sort id format float %.0f", "run 0"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "system.data").write_text(system.text(bonded))
        (Path(folder) / "in").write_text("\n".join(script) + "\n")
        command = ["lmp", "-in", "in", "-log", "none"]
        out = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
        total = re.search(r"^Total # of neighbors = (\d+)", out, re.MULTILINE)
        if not total:
            raise RuntimeError(out[-2000:])
        rows = None
        if one:
            text = (Path(folder) / "rows.txt").read_text().split("ITEM: ATOMS id c_c\n")[1]
            rows = np.array([int(line.split()[1]) for line in text.splitlines()])
    return 2 * int(total[1]), rows


def weighted(rows):
    return int((np.arange(1, len(rows) + 1) * rows).sum())


def measure(name, system, rule, periodic, cutoff):
    dropped = system.special() if rule == "special" else set()
    flags = np.array([c == "p" for c in periodic])
    table = limits(system, rule, cutoff)
    rows, gap = count_numpy(system, table, flags, dropped)
    if gap < 1e-9:
        raise RuntimeError(f"{name}: a pair is within {gap} of the cutoff {cutoff}")
    answers = {
        "ase": count_ase(system, table, flags, dropped, rule, cutoff),
        "scipy": count_scipy(system, table, flags, dropped),
    }
    total, lammps = count_lammps(system, table, flags, dropped)
    if lammps is not None:
        answers["lammps"] = lammps
    wrong = [who for who, theirs in answers.items() if (theirs != rows).any()]
    if total != rows.sum():
        wrong.append(f"lammps' list ({total})")
    if wrong:
        raise RuntimeError(f"{name} {periodic} {cutoff}: numpy counts {rows.sum()}, otherwise " + ", ".join(wrong))
    return f"{name},{cutoff!r},{periodic},{rule},{rows.sum()},{rows.max()},{weighted(rows)}"


def write(folder, name, system):
    text = system.text(bool(system.bonds)).encode()
    if len(system.atoms) < 100:
        (folder / name).write_bytes(text)
    else:
        (folder / (name + ".gz")).write_bytes(gzip.compress(text, 9, mtime=0))
    return name if len(system.atoms) < 100 else name + ".gz"


def main():
    examples, folder = Path(sys.argv[1]), Path(sys.argv[2])
    lines = ["file,cutoff,periodic,rule,pairs,largest_row,weighted"]
    for name, (source, style, cases) in SYSTEMS.items():
        system = System(examples / source, style)
        if not any(rule == "special" for rule, _, _ in cases):
            system.bonds = []
        file = write(folder, name + ".data", system)
        for rule, periodic, cutoff in cases:
            lines.append(measure(file, system, rule, periodic, cutoff))
            print(lines[-1], flush=True)
    (folder / "expected.csv").write_text("\n".join(lines) + "\n")


main()
