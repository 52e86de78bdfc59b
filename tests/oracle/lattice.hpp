// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Pairs in cells of any three edges, by testing every image in range, with the standard library only.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace oracle {

/// Three edges, some of them periodic. Number: long double, or integers for exact distances.
template <class Number>
struct lattice {
  std::array<std::array<Number, 3>, 3> edges;
  std::array<bool, 3> periodic;
};

/// (i, j, S): j as seen from i is at x[j] + S . edges, with positions as they are given. (ASE: 'ijS'.)
using lattice_pair = std::array<int, 5>;

using long_vector = std::array<long double, 3>;

inline long_vector cross(long_vector const& p, long_vector const& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}
inline long double dot(long_vector const& p, long_vector const& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; }
inline long_vector over(long_vector const& p, long double by) { return {p[0] / by, p[1] / by, p[2] / by}; }
inline long double length(long_vector const& p) { return std::sqrt(dot(p, p)); }

/// For each periodic direction the vector whose product with a displacement counts the edges in it; else zero.
template <class Number>
std::array<long_vector, 3> reciprocal(lattice<Number> const& cell) {
  std::array<long_vector, 3> e{}, result{};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t d = 0; d < 3; ++d) e[k][d] = cell.periodic[k] ? static_cast<long double>(cell.edges[k][d]) : 0;
  // Each missing edge becomes a vector at a right angle to those that are there: the best of three candidates.
  for (std::size_t k = 0; k < 3; ++k) {
    if (cell.periodic[k]) continue;
    auto const &p = e[(k + 1) % 3], &q = e[(k + 2) % 3];
    long_vector best{};
    if (length(p) > 0 && length(q) > 0) {
      best = cross(over(p, length(p)), over(q, length(q)));
    } else {
      long_vector const& other = length(p) > 0 ? p : q;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        long_vector along{};
        along[axis] = 1;
        long_vector const candidate = length(other) > 0 ? cross(over(other, length(other)), along) : along;
        if (length(candidate) > length(best)) best = candidate;
      }
    }
    e[k] = over(best, length(best));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    long_vector const n = cross(e[(k + 1) % 3], e[(k + 2) % 3]);
    if (cell.periodic[k]) result[k] = over(n, dot(n, e[k]));
  }
  return result;
}

template <class Number>
std::array<Number, 3> lattice_displacement(lattice<Number> const& cell, std::array<Number, 3> const& from,
                                           std::array<Number, 3> const& to, std::array<int, 3> const& s) {
  std::array<Number, 3> way;
  for (std::size_t d = 0; d < 3; ++d) {
    way[d] = to[d] - from[d];
    for (std::size_t k = 0; k < 3; ++k) way[d] += static_cast<Number>(s[k]) * cell.edges[k][d];
  }
  return way;
}

/// visit(i, j, s, squared distance) for every pair of particles in every image that is not farther apart than `range`
/// along the normal of some face.
template <class Number, class Visit>
void for_lattice_pairs(std::vector<std::array<Number, 3>> const& x, lattice<Number> const& cell, long double range,
                       Visit const& visit) {
  auto const normals = reciprocal(cell);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) {
      int first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
      for (std::size_t k = 0; k < 3; ++k) {
        if (!cell.periodic[k]) continue;
        long double between = 0;
        for (std::size_t d = 0; d < 3; ++d) between += normals[k][d] * static_cast<long double>(x[j][d] - x[i][d]);
        long double const reach = range * length(normals[k]) + 1e-3L;
        first[k] = static_cast<int>(std::ceil(-between - reach));
        last[k] = static_cast<int>(std::floor(-between + reach));
      }
      std::array<int, 3> s;
      for (s[0] = first[0]; s[0] <= last[0]; ++s[0])
        for (s[1] = first[1]; s[1] <= last[1]; ++s[1])
          for (s[2] = first[2]; s[2] <= last[2]; ++s[2]) {
            if (i == j && s == std::array<int, 3>{}) continue;
            auto const way = lattice_displacement(cell, x[i], x[j], s);
            visit(i, j, s, way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
          }
    }
}

/// The pairs with squared distance <= or < cutoff_squared, sorted. `nearest`: how near the cutoff a distance comes.
template <class Number>
std::vector<lattice_pair> lattice_pairs(std::vector<std::array<Number, 3>> const& x, lattice<Number> const& cell,
                                        Number cutoff_squared, bool include_cutoff, long double* nearest = nullptr) {
  long double const cutoff = std::sqrt(static_cast<long double>(cutoff_squared));
  long double least = std::numeric_limits<long double>::infinity();
  std::vector<lattice_pair> pairs;
  for_lattice_pairs(x, cell, cutoff, [&](std::size_t i, std::size_t j, std::array<int, 3> const& s, Number squared) {
    if (nearest != nullptr) least = std::min(least, std::abs(std::sqrt(static_cast<long double>(squared)) - cutoff));
    if (squared < cutoff_squared || (include_cutoff && squared == cutoff_squared))
      pairs.push_back({static_cast<int>(i), static_cast<int>(j), s[0], s[1], s[2]});
  });
  std::sort(pairs.begin(), pairs.end());
  if (nearest != nullptr) *nearest = least;
  return pairs;
}

}  // namespace oracle
