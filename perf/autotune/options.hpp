// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace perf::autotune {

struct options {
  std::string output = "upsweep_tuning.hpp", machine;
  std::vector<std::string> groups;  ///< empty: all
  std::vector<std::size_t> sizes;
  int measurements = 0;
};

/// Reads the command line into `result`; an exit code when the program has nothing to do: 0 for --help, 2 for a mistake.
std::optional<int> parse_options(int argc, char** argv, std::vector<std::string> const& groups, options& result);

}  // namespace perf::autotune
