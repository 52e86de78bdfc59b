// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Neighbours by testing every pair in every adjacent image, with the standard library only.

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

namespace oracle {

template <class Real>
struct cell_box {
  std::array<Real, 3> lo, hi;
  std::array<bool, 3> periodic;
};

/// (j, image x, y, z) of every neighbour of particle i, for all i; particles are wrapped first.
using neighbor = std::tuple<int, int, int, int>;

template <class Real>
std::vector<std::vector<neighbor>> brute_force(std::vector<std::array<Real, 3>> x, cell_box<Real> const& box, Real cutoff) {
  for (auto& p : x)
    for (int d = 0; d < 3; ++d) {
      Real const L = box.hi[d] - box.lo[d];
      if (!box.periodic[d] || (p[d] >= box.lo[d] && p[d] < box.hi[d])) continue;
      p[d] = std::fma(-std::floor((p[d] - box.lo[d]) / L), L, p[d]);
      if (!(p[d] >= box.lo[d] && p[d] < box.hi[d])) p[d] = box.lo[d];
    }
  Real const squared = cutoff * cutoff;
  std::vector<std::vector<neighbor>> rows(x.size());
  int const rx = box.periodic[0], ry = box.periodic[1], rz = box.periodic[2];
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      for (int sz = -rz; sz <= rz; ++sz)
        for (int sy = -ry; sy <= ry; ++sy)
          for (int sx = -rx; sx <= rx; ++sx) {
            if (i == j && sx == 0 && sy == 0 && sz == 0) continue;
            std::array<int, 3> const s{sx, sy, sz};
            std::array<Real, 3> d;
            for (int k = 0; k < 3; ++k) {
              Real const shift = Real(s[k]) * (box.hi[k] - box.lo[k]);
              d[k] = (x[j][k] - x[i][k]) + shift;
            }
            if (std::fma(d[2], d[2], std::fma(d[1], d[1], d[0] * d[0])) <= squared) rows[i].emplace_back(int(j), sx, sy, sz);
          }
  return rows;
}

/// n points in the box, uniform.
template <class Real>
std::vector<std::array<Real, 3>> uniform_points(std::size_t n, cell_box<Real> const& box, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::vector<std::array<Real, 3>> x(n);
  for (auto& p : x)
    for (int d = 0; d < 3; ++d) p[d] = std::uniform_real_distribution<Real>(box.lo[d], box.hi[d])(engine);
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
