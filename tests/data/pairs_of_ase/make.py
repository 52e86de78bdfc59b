#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Writes cells.txt: random cells, and the pairs that ASE finds in them. make.py FILE (README.md)"""

import sys

import numpy
from ase import Atoms
from ase.neighborlist import neighbor_list

CELLS = 16
MOST_PAIRS = 40


def random_cell(random):
    """Three edges: skewed by up to 5 edges, tiny, flat, left-handed, turned; which are periodic; the largest edge."""
    scale = 0.3 if random.random() < 0.2 else numpy.exp(random.uniform(-1, 2))
    edges = numpy.diag(scale * random.uniform(0.5, 1.5, 3))
    if random.random() < 0.2:
        edges[random.integers(3)] *= 0.05
    if random.random() < 0.75:
        for d in range(3):
            for c in range(d):
                edges[d] += random.uniform(-5, 5) * edges[c]
    edges = edges @ numpy.linalg.qr(random.normal(size=(3, 3)))[0]
    if random.random() < 0.4:
        edges = edges[[1, 0, 2]]
    periodic = [True] * 3 if random.random() < 0.4 else list(random.random(3) < 0.5)
    return edges, periodic, numpy.linalg.norm(edges, axis=1).max()


def random_atoms(random, far):
    edges, periodic, longest = random_cell(random)
    n = random.integers(1, 25)
    places = random.random((n, 3))
    for k in range(3):
        if not periodic[k]:
            places[:, k] += random.uniform(-1.5, 1.5, n)
        elif far:
            places[:, k] += random.integers(-1000, 1001, n)
    cutoff = longest * (random.uniform(1, 3) if random.random() < 0.25 else random.uniform(0.05, 1))
    return Atoms("H" * n, positions=places @ edges, cell=edges, pbc=periodic), cutoff


def main():
    random = numpy.random.default_rng(16)
    made = 0
    with open(sys.argv[1], "w") as out:
        while made < CELLS:
            atoms, cutoff = random_atoms(random, made % 2 == 1)
            heights = 1 / numpy.linalg.norm(numpy.linalg.inv(atoms.cell).T, axis=1)
            if numpy.prod(2 + 2 * max(cutoff, 3) / heights) > 20000:  # bins of ASE are at least 3 wide
                continue
            near = neighbor_list("d", atoms, cutoff * 1.0001)
            if not 3 <= len(near) <= MOST_PAIRS or abs(near - cutoff).min() < 1e-9 * max(1, cutoff):
                continue
            pairs = list(zip(*neighbor_list("ijSDd", atoms, cutoff)))
            numbers = [*atoms.cell.array.ravel(), *(int(p) for p in atoms.pbc), cutoff, len(atoms), len(pairs)]
            print(*(repr(x.item() if hasattr(x, "item") else x) for x in numbers), file=out)
            for x in atoms.positions:
                print(*(repr(c.item()) for c in x), file=out)
            for i, j, s, way, distance in pairs:
                print(i, j, *s, *(repr(c.item()) for c in way), repr(distance.item()), file=out)
            made += 1


main()
