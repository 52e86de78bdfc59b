// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../sizes.hpp"

#include <string>
#include <vector>

namespace perf {

/// What to measure of the scans. An empty list of names means all.
struct scan_selection {
  std::vector<std::string> types, impls, operations;
  std::vector<std::string> engines = {"automatic"};
  /// Empty: the backend's usual ones.
  std::vector<std::size_t> sizes;
  /// The measurements of a benchmark; 0 for as many as its size asks for.
  int measurements = 0;
};

/// The names that a selection may hold.
std::vector<std::string> scan_types();
std::vector<std::string> scan_impls();
std::vector<std::string> scan_operations();

/// Registers the selected scans, those of one type after the other; prints which sizes do not fit into memory.
void add_scans(scan_selection const& selection);

}  // namespace perf
