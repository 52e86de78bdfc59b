// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../../apps/support/options/command_line.hpp"
#include "../../apps/support/options/output_options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perf::autotune {

struct options : apps::config_files {
  std::string output = "upsweep_tuning.hpp", machine;
  std::vector<std::string> groups;  ///< empty: all
  std::vector<std::size_t> sizes;
  int measurements = 0;
};

/// The options, or what to say instead of measuring.
struct command_line : apps::command_line {
  options values;
};

/// Reads the arguments, without argv[0]; `groups` are the names that --groups takes. Prints nothing and throws nothing
/// for bad arguments.
command_line parse(std::vector<std::string> const& arguments, std::vector<std::string> const& groups);

}  // namespace perf::autotune
