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

/// The neighbours of every particle with a row, by j, then images; particles are wrapped first. For float and double,
/// compiled once for all tests and as users' files are: it takes a large part of the time of tests of lists.
template <class Real>
neighbor_rows brute_force(std::vector<std::array<Real, 3>> x, cell_box<Real> const& box, Real cutoff,
                          pair_rules const& rules = {});

}  // namespace oracle
