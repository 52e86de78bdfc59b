#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Makes the arrays and cases.csv of this folder: make.py FOLDER (README.md)"""

import sys
from pathlib import Path

import numpy
from sklearn.cluster import DBSCAN

OPEN = (0.0, 0.0, 0.0)


def uniform(random):
    return 10 * random.random((600, 3))


def clumps(random):
    """Clumps of three densities, and a quarter of the points anywhere."""
    centres, widths = 10 * random.random((9, 3)), numpy.repeat([0.2, 0.5, 0.9], 3)
    which = random.integers(0, 9, 525)
    around = centres[which] + widths[which, None] * random.normal(size=(525, 3))
    return numpy.concatenate([around, 10 * random.random((175, 3))])


def moons(random):
    """Two half circles that reach into each other, in a plane that is a little thick, and some noise around them."""
    angle = numpy.pi * random.random(540)
    first = numpy.arange(540) < 270
    x = numpy.where(first, numpy.cos(angle), 1 - numpy.cos(angle))
    y = numpy.where(first, numpy.sin(angle), 0.5 - numpy.sin(angle))
    curve = numpy.stack([x, y, 0 * x], axis=1) + 0.06 * random.normal(size=(540, 3))
    return numpy.concatenate([curve, random.uniform((-1.5, -1, -0.3), (2.5, 1.5, 0.3), (60, 3))])


def duplicates(random):
    """Places with one to seven points each."""
    return numpy.repeat(4 * random.random((150, 3)), random.integers(1, 8, 150), axis=0)


def clumps_across(lengths):
    """Clumps some of which cross the borders of a periodic box; their points are in the box."""

    def make(random):
        x = random.random((12, 3))[random.integers(0, 12, 600)] * lengths + 0.45 * random.normal(size=(600, 3))
        x[::5] = random.random((120, 3)) * lengths
        return numpy.mod(x, lengths)

    return make


# name: points, edges of the box (0: open), and (eps, min_samples) of each case
SETS = {
    "uniform": (uniform, OPEN, [(0.6, 2), (0.8, 3), (0.9, 4), (1.1, 6)]),
    "clumps": (clumps, OPEN, [(0.2, 3), (0.45, 5), (0.45, 10), (0.8, 20), (1.4, 1)]),
    "moons": (moons, OPEN, [(0.1, 2), (0.13, 5), (0.2, 10), (0.26, 30)]),
    "duplicates": (duplicates, OPEN, [(0.01, 3), (0.25, 6), (0.45, 9), (0.4, 12)]),
    "periodic": (clumps_across((6.0, 6.0, 6.0)), (6.0, 6.0, 6.0), [(0.3, 2), (0.4, 5), (0.6, 9), (0.9, 30)]),
    "periodic_z": (clumps_across((7.0, 5.0, 3.0)), (0.0, 0.0, 3.0), [(0.3, 3), (0.5, 7), (0.8, 20)]),
}


def distances(x, lengths):
    """Of all pairs, to the nearest image in periodic directions."""
    way = x[:, None, :] - x[None, :, :]
    for d in range(3):
        if lengths[d]:
            way[..., d] -= lengths[d] * numpy.round(way[..., d] / lengths[d])
    return numpy.sqrt((way**2).sum(axis=2))


def cluster(x, lengths, eps, least):
    """Labels, and which points are cores."""
    far = distances(x, lengths)
    gap = abs(far / eps - 1).min()
    if gap < 1e-9:
        raise RuntimeError(f"a distance is within {gap} of eps = {eps}")
    found = DBSCAN(eps=eps, min_samples=least, metric="precomputed").fit(far)
    cores = numpy.zeros(len(x), numpy.uint8)
    cores[found.core_sample_indices_] = 1
    if not any(lengths):
        for algorithm in ("kd_tree", "ball_tree", "brute"):
            other = DBSCAN(eps=eps, min_samples=least, algorithm=algorithm).fit(x)
            same = (other.labels_ == found.labels_).all()
            if not same or not numpy.array_equal(other.core_sample_indices_, found.core_sample_indices_):
                raise RuntimeError(f"{algorithm} finds other clusters")
    return found.labels_, cores, far <= eps


def contested(labels, cores, near):
    """How many points that are no cores have cores of several clusters in reach."""
    reached = [numpy.unique(labels[near[i] & (cores == 1)]) for i in numpy.flatnonzero(cores == 0)]
    return sum(len(r) > 1 for r in reached)


def main():
    folder = Path(sys.argv[1])
    random = numpy.random.default_rng(18)
    lines = ["points,row,x,y,z,eps,min_samples,clusters,cores,noise,contested"]
    for name, (make, lengths, cases) in SETS.items():
        x = make(random)
        x = x[random.permutation(len(x))].astype(numpy.float32)
        numpy.save(folder / f"{name}.npy", x)
        x = x.astype(numpy.float64)
        if any(lengths[d] and not (0 <= x[:, d]).all() & (x[:, d] < lengths[d]).all() for d in range(3)):
            raise RuntimeError(f"{name}: a point is outside of the box")
        all_labels, all_cores = [], []
        for row, (eps, least) in enumerate(cases):
            labels, cores, near = cluster(x, lengths, eps, least)
            all_labels.append(labels.astype(numpy.int16))
            all_cores.append(cores)
            counts = [labels.max() + 1, cores.sum(), (labels < 0).sum(), contested(labels, cores, near)]
            lines.append(",".join(str(v) for v in [name, row, *lengths, eps, least, *counts]))
        numpy.save(folder / f"{name}_labels.npy", numpy.array(all_labels))
        numpy.save(folder / f"{name}_cores.npy", numpy.array(all_cores))
    (folder / "cases.csv").write_text("\n".join(lines) + "\n")


main()
