// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Neighbours by testing every pair in every image that can matter, with the standard library only.

#include "points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

namespace oracle {

/// (j, image x, y, z) of a neighbour.
using neighbor = std::tuple<int, int, int, int>;
using neighbor_rows = std::vector<std::vector<neighbor>>;

/// What decides, beside the cutoff, which pairs are wanted. Empty vectors: nothing.
struct pair_rules {
  bool half = false;
  bool newton = true;  ///< of half lists: a pair with a ghost, a particle without a row, is in one row; false: in all
  bool include_cutoff = true;
  std::int64_t rows = -1;  ///< particles with rows; negative: all
  /// two sets: the first so many have rows, the others are points; negative: one set
  std::int64_t queries = -1;
  std::vector<std::int64_t> ids;           ///< empty: the index
  std::vector<std::array<int, 3>> images;  ///< one per particle; empty: made here
  std::vector<int> types;
  std::vector<std::vector<double>> type_cutoffs;
  std::vector<double> radii;
  std::vector<std::size_t> excluded_offsets;  ///< row i has no partners excluded_ids[excluded_offsets[i] ...]
  std::vector<std::int64_t> excluded_ids;
  std::optional<std::int64_t> max_neighbors = {};  ///< of each row the nearest so many; of equal ones by (id, image)

  std::int64_t id(std::size_t i) const { return ids.empty() ? static_cast<std::int64_t>(i) : ids[i]; }
};

/// The displacement of an image, in Real. No product is left that a compiler could contract with the sum it goes into.
template <class Real>
std::array<Real, 3> image_shift(cell_box<Real> const& box, std::array<int, 3> const& s) {
  Real const sx = Real(s[0]), sy = Real(s[1]), sz = Real(s[2]);
  auto const& [xy, xz, yz] = box.tilt;
  return {std::fma(sz, xz, std::fma(sy, xy, sx * box.length(0))), std::fma(sz, yz, sy * box.length(1)),
          std::fma(sz, box.length(2), Real(0))};
}

/// How far the upright coordinates of a wrapped particle may be beyond the borders by rounding, as a part of the edges.
template <class Real>
std::array<double, 3> upright_rounding(cell_box<Real> const& box) {
  double const eps = std::numeric_limits<Real>::epsilon();
  double const xy = std::abs(box.tilt[0]), xz = std::abs(box.tilt[1]), yz = std::abs(box.tilt[2]);
  double const x = std::max(std::abs(box.lo[0]), std::abs(box.hi[0]));
  double const y = std::max(std::abs(box.lo[1]), std::abs(box.hi[1]));
  double const off_y = eps * (y + 2 * yz), off_x = xy / box.length(1) * off_y + 2 * eps * (x + xy + xz);
  return {off_x / box.length(0), off_y / box.length(1), 0};
}

/// How many images away, in each direction, a particle inside of the box can be within `cutoff` of another one.
template <class Real>
std::array<int, 3> image_reach(cell_box<Real> const& box, double cutoff) {
  double const lx = box.length(0), ly = box.length(1), lz = box.length(2);
  double const xy = box.tilt[0], xz = box.tilt[1], yz = box.tilt[2];
  // How far a fractional coordinate gets over a distance of one: the length of a reciprocal vector.
  double const per_distance[3] = {std::hypot(1 / lx, xy / (lx * ly), (xy * yz - xz * ly) / (lx * ly * lz)),
                                  std::hypot(1 / ly, yz / (ly * lz)), 1 / lz};
  auto const rounding = box.tilted() ? upright_rounding(box) : std::array<double, 3>{};
  std::array<int, 3> reach{};
  for (int d = 0; d < 3; ++d)
    // Two wrapped particles are less than one edge apart, except for rounding.
    if (box.periodic[d]) reach[d] = static_cast<int>(std::floor(cutoff * per_distance[d] + 1.001 + 2 * rounding[d]));
  return reach;
}

/// Whether a half list keeps the pair in the row of the first one.
inline bool kept_in_half(std::int64_t i, std::int64_t j, std::array<int, 3> const& s) {
  if (i == j) {
    auto const first = std::find_if(s.begin(), s.end(), [](int c) { return c != 0; });
    return first != s.end() && *first > 0;
  }
  bool const even = (i % 2 == 0) == (j % 2 == 0);
  return even ? i < j : i > j;
}

/// The same of a particle and its own ghost, which its maker has shifted.
template <class Real>
bool own_ghost_kept_in_half(std::array<Real, 3> const& x, std::array<Real, 3> const& ghost) {
  for (std::size_t d = 0; d < 3; ++d)
    if (ghost[d] != x[d]) return ghost[d] > x[d];
  return false;
}

template <class Real>
bool within(pair_rules const& rules, std::size_t i, std::size_t j, Real cutoff, Real squared) {
  auto const less = [&](Real most) { return rules.include_cutoff ? squared <= most * most : squared < most * most; };
  if (!less(cutoff)) return false;
  if (!rules.types.empty()) {
    Real const most =
        Real(rules.type_cutoffs[static_cast<std::size_t>(rules.types[i])][static_cast<std::size_t>(rules.types[j])]);
    if (!less(most)) return false;
  }
  if (!rules.radii.empty()) {
    Real const most = Real(rules.radii[i]) + Real(rules.radii[j]);
    if (!less(most)) return false;
  }
  return true;
}

inline bool excluded(pair_rules const& rules, std::size_t i, std::size_t j) {
  if (rules.excluded_offsets.empty()) return false;
  auto const begin = rules.excluded_ids.begin();
  auto const last = begin + static_cast<std::ptrdiff_t>(rules.excluded_offsets[i + 1]);
  return std::find(begin + static_cast<std::ptrdiff_t>(rules.excluded_offsets[i]), last, rules.id(j)) != last;
}

/// Of a row the nearest that the rules ask for, by squared distance, then id, then image (by z, then y, then x); they
/// stay in their order.
template <class Real>
std::vector<neighbor> nearest(std::vector<neighbor> const& row, std::vector<Real> const& squared,
                              pair_rules const& rules) {
  if (!rules.max_neighbors || row.size() <= static_cast<std::size_t>(*rules.max_neighbors)) return row;
  std::size_t const skipped = rules.queries >= 0 ? static_cast<std::size_t>(rules.queries) : 0;
  std::vector<std::tuple<Real, std::int64_t, int, int, int, std::size_t>> order;
  for (std::size_t k = 0; k < row.size(); ++k) {
    auto const [j, x, y, z] = row[k];
    order.emplace_back(squared[k], rules.id(skipped + static_cast<std::size_t>(j)), z, y, x, k);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < static_cast<std::size_t>(*rules.max_neighbors); ++k)
    which.push_back(std::get<5>(order[k]));
  std::sort(which.begin(), which.end());
  std::vector<neighbor> result;
  for (auto const k : which) result.push_back(row[k]);
  return result;
}

/// The neighbours of every particle with a row, by j, then images; particles are wrapped first.
template <class Real>
neighbor_rows brute_force(std::vector<std::array<Real, 3>> x, cell_box<Real> const& box, Real cutoff,
                          pair_rules const& rules = {}) {
  for (auto& p : x) p = wrapped(box, p);
  bool const two = rules.queries >= 0;
  std::size_t const first_point = two ? static_cast<std::size_t>(rules.queries) : 0;
  std::size_t const rows = two ? first_point : rules.rows < 0 ? x.size() : static_cast<std::size_t>(rules.rows);
  auto const reach = rules.images.empty() ? image_reach(box, double(cutoff)) : std::array<int, 3>{};
  neighbor_rows found(rows);
  std::vector<Real> distances;  // squared, of the row
  auto const test = [&](std::size_t i, std::size_t j, std::array<int, 3> const& s) {
    if (!two && i == j && s == std::array<int, 3>{}) return;
    auto const shift = image_shift(box, s);
    std::array<Real, 3> d;
    for (int k = 0; k < 3; ++k) d[k] = (x[j][k] - x[i][k]) + shift[k];
    Real const squared = std::fma(d[2], d[2], std::fma(d[1], d[1], d[0] * d[0]));
    if (!within(rules, i, j, cutoff, squared) || excluded(rules, i, j)) return;
    bool const halves = rules.half && (rules.newton || j < rows);
    bool const own_ghost = rules.id(i) == rules.id(j) && i != j && s == std::array<int, 3>{};
    if (halves && !(own_ghost ? own_ghost_kept_in_half(x[i], x[j]) : kept_in_half(rules.id(i), rules.id(j), s))) return;
    found[i].emplace_back(static_cast<int>(j - first_point), s[0], s[1], s[2]);
    distances.push_back(squared);
  };
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = first_point; j < x.size(); ++j)
      for (int sx = -reach[0]; sx <= reach[0]; ++sx)
        for (int sy = -reach[1]; sy <= reach[1]; ++sy)
          for (int sz = -reach[2]; sz <= reach[2]; ++sz)
            test(i, j, rules.images.empty() ? std::array<int, 3>{sx, sy, sz} : rules.images[j]);
    found[i] = nearest(found[i], distances, rules);
    distances.clear();
  }
  return found;
}

}  // namespace oracle
