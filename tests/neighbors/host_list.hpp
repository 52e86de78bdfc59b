// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Neighbour lists with host data in and out. host_list.cpp alone instantiates them, for float and double, so that the
// tests that include this compile fast.

#include "../oracle/brute_force.hpp"

#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/options.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace oracle {

/// What a list keeps of a pair beside neighbour and image, bit by bit; 0 where it keeps none.
struct pair_value {
  int first = 0;
  std::array<int, 3> unwrapped{};
  std::array<std::uint64_t, 3> displacement{};
  std::uint64_t distance = 0;

  friend bool operator==(pair_value const&, pair_value const&) = default;
};

/// A float or a double as its bits, and back.
template <class Real>
std::uint64_t bits_of(Real x) {
  return std::bit_cast<std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>>(x);
}
template <class Real>
Real from_bits(std::uint64_t bits) {
  return std::bit_cast<Real>(static_cast<std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>>(bits));
}

struct host_list {
  neighbor_rows rows;  ///< in the list's own order; without images where none are kept
  std::size_t pairs = 0, largest_row = 0;
  std::uint64_t hash = 0;            ///< 0 of two sets, of images without ids, and without pair_images
  std::vector<pair_value> values{};  ///< of all pairs, where any are kept

  friend bool operator==(host_list const&, host_list const&) = default;
};

/// How a list is built; what is in it, pair_rules say.
struct build_settings {
  upsweep::neighbor_builder builder = upsweep::neighbor_builder::automatic;
  upsweep::row_order order = upsweep::row_order::cells;
  std::optional<std::size_t> memory_budget = {};
  bool narrow_ids = false;  ///< of 32 bits; they fit
  bool rebuild = false;     ///< in the list that was built so before, whatever that was
  /// What is kept of pairs.
  bool pair_images = true;
  bool first_indices = false, unwrapped_images = false, displacements = false, distances = false;
};

/// Everything is kept.
inline build_settings with_all_values(build_settings how = {}) {
  how.first_indices = how.unwrapped_images = how.displacements = how.distances = true;
  return how;
}

template <class Real>
using points = std::vector<std::array<Real, 3>>;

/// What a list is made of.
template <class Real>
struct list_problem {
  cell_box<Real> box;
  points<Real> x;
  Real cutoff;
  pair_rules rules;
};

template <class Real>
host_list build_list(points<Real> const& x, cell_box<Real> const& box, Real cutoff, pair_rules const& rules = {},
                     build_settings const& settings = {});

/// The same in a box of any edges.
template <class Real>
host_list build_list(points<Real> const& x, upsweep::box<Real> const& box, Real cutoff, pair_rules const& rules = {},
                     build_settings const& settings = {});

/// The pairs that for_each_pair visits, by row, in the order of the visits. Options that it refuses are not set.
template <class Real>
neighbor_rows visited_rows(list_problem<Real> const& problem, upsweep::neighbor_builder builder);

inline neighbor_rows sorted(neighbor_rows rows) {
  for (auto& row : rows) std::sort(row.begin(), row.end());
  return rows;
}

}  // namespace oracle
