// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../selection.hpp"

#include <string>
#include <vector>

namespace perf {

/// What to measure of the scans.
struct scan_selection : common_selection {
  std::vector<std::string> operations, engines = {"automatic"};
};

/// The names that a selection may hold.
std::vector<std::string> scan_types();
std::vector<std::string> scan_impls();
std::vector<std::string> scan_operations();

/// Registers the selected scans, those of one type after the other; prints which sizes do not fit into memory.
void add_scans(scan_selection const& selection);

}  // namespace perf
