// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../neighbors/selection.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace perf::groups {

/// How far apart linked points are at most; the points have one in a unit of volume.
inline constexpr double link_length = 0.2;

/// Points as `upsweep-clusters --random` makes them, in an open box, and what is found among them.
struct workload {
  char const* name;
  bool clustered;
  std::int64_t min_points;  ///< of a core of DBSCAN; 0: friends of friends
};

inline constexpr std::array<workload, 4> workloads{{{"friends_uniform", false, 0},
                                                    {"friends_clustered", true, 0},
                                                    {"dbscan_uniform", false, 3},
                                                    {"dbscan_clustered", true, 5}}};

/// The names that a selection may hold.
std::vector<std::string> group_types();
std::vector<std::string> group_impls();
std::vector<std::string> group_workloads();

/// Registers friends of friends and DBSCAN; prints which sizes do not fit into memory.
void add_groups(neighbors::list_selection const& selection);

}  // namespace perf::groups
