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
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oracle {

struct host_list {
  neighbor_rows rows;  ///< in the list's own order
  std::size_t pairs = 0, largest_row = 0;
  std::uint64_t hash = 0;  ///< 0 of two sets, and of images without ids

  friend bool operator==(host_list const&, host_list const&) = default;
};

/// How a list is built; what is in it, pair_rules say.
struct build_settings {
  upsweep::neighbor_builder builder = upsweep::neighbor_builder::automatic;
  upsweep::row_order order = upsweep::row_order::cells;
  std::optional<std::size_t> memory_budget = {};
  bool rebuild = false;  ///< in the list that was built so before, whatever that was
};

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

inline neighbor_rows sorted(neighbor_rows rows) {
  for (auto& row : rows) std::sort(row.begin(), row.end());
  return rows;
}

}  // namespace oracle
