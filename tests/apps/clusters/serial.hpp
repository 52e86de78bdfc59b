// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Groups by the standard library alone, from all pairs of points.

#include "../../oracle/brute_force.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace oracle {

using point_list = std::vector<std::array<double, 3>>;

struct serial_groups {
  std::vector<std::int64_t> label;  ///< of each point; -1: noise
  std::vector<bool> core;
};

/// Friends of friends: each point gets the smallest number of those that links lead to.
serial_groups friends(neighbor_rows const& rows);

/// Pre: no pair in two images.
serial_groups dbscan(neighbor_rows const& rows, std::size_t min_points);

struct serial_group {
  std::vector<std::int64_t> members;
  bool spans = false;
  std::array<double, 3> centre{};  ///< along links; without meaning where the group spans the box
};

/// The groups by ascending label. `x` are wrapped; links without a core do not count.
std::vector<serial_group> follow_links(serial_groups const& of, neighbor_rows const& rows, point_list const& x,
                                       cell_box<double> const& box);

}  // namespace oracle
