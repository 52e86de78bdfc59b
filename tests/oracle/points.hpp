// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Boxes and sets of points for tests of neighbour lists, with the standard library only.

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace oracle {

/// A box with the edges (Lx, 0, 0), (xy, Ly, 0) and (xz, yz, Lz).
template <class Real>
struct cell_box {
  std::array<Real, 3> lo, hi;
  std::array<bool, 3> periodic;
  std::array<Real, 3> tilt{};  ///< xy, xz, yz

  Real length(int d) const { return hi[d] - lo[d]; }
  std::array<Real, 3> edge(int d) const {
    if (d == 0) return {length(0), 0, 0};
    return d == 1 ? std::array<Real, 3>{tilt[0], length(1), 0} : std::array<Real, 3>{tilt[1], tilt[2], length(2)};
  }
  bool tilted() const { return tilt != std::array<Real, 3>{}; }
};

/// Whole edges taken off, in z first, then y, then x, as far as the box is periodic in them.
template <class Real>
std::array<Real, 3> wrapped(cell_box<Real> const& box, std::array<Real, 3> p) {
  for (int d = 2; d >= 0; --d) {
    Real const fz = (p[2] - box.lo[2]) / box.length(2);
    Real const y = std::fma(-fz, box.tilt[2], p[1]);
    Real const fy = (y - box.lo[1]) / box.length(1);
    Real const along[3] = {std::fma(-fz, box.tilt[1], std::fma(-fy, box.tilt[0], p[0])), y, p[2]};
    if (!box.periodic[d] || (along[d] >= box.lo[d] && along[d] < box.hi[d])) continue;
    Real const k = -std::floor((along[d] - box.lo[d]) / box.length(d));
    auto const edge = box.edge(d);
    for (int c = 0; c <= d; ++c) p[c] = std::fma(k, edge[c], p[c]);
    if (!box.tilted() && !(p[d] >= box.lo[d] && p[d] < box.hi[d])) p[d] = box.lo[d];
  }
  return p;
}

/// n points in the box, uniform.
template <class Real>
std::vector<std::array<Real, 3>> uniform_points(std::size_t n, cell_box<Real> const& box, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::vector<std::array<Real, 3>> x(n);
  for (auto& p : x) {
    for (int d = 0; d < 3; ++d) p[d] = std::uniform_real_distribution<Real>(box.lo[d], box.hi[d])(engine);
    if (!box.tilted()) continue;
    // Upright coordinates; leaning only, so that the point stays in the box.
    Real const fz = (p[2] - box.lo[2]) / box.length(2), fy = (p[1] - box.lo[1]) / box.length(1);
    p[0] += fy * box.tilt[0] + fz * box.tilt[1];
    p[1] += fz * box.tilt[2];
  }
  return x;
}

/// cells^3 * 4 points of an fcc crystal with lattice constant `a`, from `lo`.
template <class Real>
std::vector<std::array<Real, 3>> fcc_points(int cells, Real a, Real lo) {
  std::vector<std::array<Real, 3>> x;
  Real const basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  for (int k = 0; k < cells; ++k)
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i)
        for (auto const& b : basis) x.push_back({lo + (i + b[0]) * a, lo + (j + b[1]) * a, lo + (k + b[2]) * a});
  return x;
}

}  // namespace oracle
