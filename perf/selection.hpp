// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "sizes.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perf {

/// What to measure of any kind of benchmarks. An empty list of names means all.
struct common_selection {
  std::vector<std::string> types, impls;
  /// Elements or particles. Empty: the backend's usual ones.
  std::vector<std::size_t> sizes;
  /// The measurements of a benchmark; 0: as many as it takes by default.
  int measurements = 0;
};

}  // namespace perf
