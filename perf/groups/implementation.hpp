// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../../apps/support/groups/point_set.hpp"
#include "../backend.hpp"
#include "selection.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perf::groups {

/// A search for groups, and the labels that the last one found, of each point; -1: it is in no group.
struct prepared {
  std::function<void()> search;
  std::function<std::vector<std::int64_t>()> labels;
};

/// One implementation: ours, or a peer's.
struct implementation {
  std::string name;
  /// Ours names groups by their smallest core, and a point near several groups is in the one of the smallest name.
  bool exact;
  std::function<prepared(space const&, clusters::point_set const&, workload const&)> prepare;
};

std::vector<implementation> by_upsweep();
/// Where CMake finds ArborX.
std::vector<implementation> by_arborx();

}  // namespace perf::groups
