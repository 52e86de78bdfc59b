// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../selection.hpp"

#include <string>
#include <vector>

namespace perf::pack {

/// What to measure of the packing operations.
struct pack_selection : common_selection {
  std::vector<std::string> operations;
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
