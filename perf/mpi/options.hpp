// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../../apps/support/options/command_line.hpp"
#include "../../apps/support/options/output_options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perf::ranks {

struct options : apps::config_files {
  std::vector<std::string> operations;
  std::vector<std::size_t> sizes;
  int measurements = 11;
  std::string csv, machine, git;
};

/// The options, or what to say instead of measuring.
struct command_line : apps::command_line {
  options values;
};

/// Reads the arguments, without argv[0] and those of Kokkos. Prints nothing and throws nothing for bad arguments.
command_line parse(std::vector<std::string> const& arguments);

}  // namespace perf::ranks
