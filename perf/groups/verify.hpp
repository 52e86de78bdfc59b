// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perf::groups {

/// The neighbours of point i are neighbors[offsets[i]] to neighbors[offsets[i + 1] - 1].
struct host_rows {
  std::vector<std::size_t> offsets;
  std::vector<int> neighbors;
};

/// What is right.
struct known_groups {
  host_rows rows;
  std::vector<std::uint8_t> core;
  std::vector<std::int64_t> label;  ///< the group's smallest core; -1: in no group
};

/// Groups by one thread of the CPU. min_points: of a core of DBSCAN; 0: friends of friends, all of which are cores.
known_groups groups_of(host_rows rows, std::int64_t min_points);

/// What is wrong with labels; empty if nothing is. exact: they are equal to what is known. Else groups may have any
/// names, and a point that is no core may be in any group that has a core among its neighbours; a friend alone may be
/// in no group.
std::string verify(known_groups const& known, std::vector<std::int64_t> labels, bool exact);

}  // namespace perf::groups
