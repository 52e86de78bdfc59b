// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Boxes and sets of points for tests of neighbour lists, with the standard library only.

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
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

/// Coordinates along the edges: in [lo, hi) for what is inside of the box.
template <class Real>
std::array<Real, 3> upright(cell_box<Real> const& box, std::array<Real, 3> const& p) {
  Real const fz = (p[2] - box.lo[2]) / box.length(2);
  Real const y = std::fma(-fz, box.tilt[2], p[1]);
  Real const fy = (y - box.lo[1]) / box.length(1);
  return {std::fma(-fz, box.tilt[1], std::fma(-fy, box.tilt[0], p[0])), y, p[2]};
}

/// p with p[d] raised to the smallest number for which upright(p)[d] >= lo: by ever smaller steps that stay below.
template <class Real>
std::array<Real, 3> raised(cell_box<Real> const& box, std::array<Real, 3> p, int d) {
  auto const is_below = [&](Real coordinate) {
    auto q = p;
    q[d] = coordinate;
    return upright(box, q)[d] < box.lo[d];
  };
  for (Real step = box.length(d); step > 0; step /= 2)
    if (is_below(p[d] + step)) p[d] += step;
  while (is_below(p[d])) p[d] = std::nextafter(p[d], std::numeric_limits<Real>::infinity());
  if (p[d] == 0) p[d] = 0;  // not -0
  return p;
}

/// Whole edges taken off, in z first, then y, then x, as far as the box is periodic in them.
template <class Real>
std::array<Real, 3> wrapped(cell_box<Real> const& box, std::array<Real, 3> p) {
  for (int d = 2; d >= 0; --d) {
    Real const along = upright(box, p)[d];
    if (!box.periodic[d] || (along >= box.lo[d] && along < box.hi[d])) continue;
    auto const edge = box.edge(d);
    auto const moved = [&](Real edges) {
      auto q = p;
      for (int c = 0; c <= d; ++c) q[c] = std::fma(edges, edge[c], q[c]);
      return q;
    };
    Real const k = -std::floor((along - box.lo[d]) / box.length(d));
    if (!box.tilted()) {
      p = moved(k);
      if (!(p[d] >= box.lo[d] && p[d] < box.hi[d])) p[d] = box.lo[d];
      continue;
    }
    p = upright(box, moved(k))[d] >= box.hi[d] ? moved(k - 1) : moved(k);
    if (upright(box, p)[d] < box.lo[d]) p = raised(box, p, d);
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
