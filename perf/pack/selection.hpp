// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../sizes.hpp"

#include <string>
#include <vector>

namespace perf::pack {

/// What to measure of the packing operations. An empty list of names means all.
struct pack_selection {
  std::vector<std::string> types, impls, operations;
  /// Empty: the backend's usual ones.
  std::vector<std::size_t> sizes;
  /// The measurements of a benchmark; 0 for as many as fit into a while.
  int measurements = 0;
  /// The part of the elements that `compact` keeps and `partition` puts to the front.
  double keep = 0.5;
};

/// The names that a selection may hold.
std::vector<std::string> pack_types();
std::vector<std::string> pack_impls();
std::vector<std::string> pack_operations();

/// Registers the selected operations; prints which sizes do not fit into memory.
void add_packs(pack_selection const& selection);

}  // namespace perf::pack
