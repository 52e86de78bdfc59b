// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../apps/support/options/command_line.hpp"
#include "../apps/support/options/output_options.hpp"
#include "neighbors/selection.hpp"
#include "pack/selection.hpp"
#include "scan/selection.hpp"

#include <limits>
#include <string>
#include <vector>

namespace perf {

struct options : apps::config_files {
  /// Print what the program measures with, and nothing else.
  bool describe = false;
  int rounds = 1;
  /// Rows that spread more, as a part of their median, are not written.
  double spread = std::numeric_limits<double>::infinity();
  std::string csv, results, machine, git, filter = ".*";
  std::vector<std::string> benchmarks = {"scan", "pack", "neighbors"};
  scan_selection scans;
  pack::pack_selection packs;
  neighbors::list_selection lists;
};

/// The options, or what to say instead of measuring.
struct command_line : apps::command_line {
  options values;
};

/// Reads the arguments, without argv[0]. Prints nothing and throws nothing for bad arguments.
command_line parse(std::vector<std::string> const& arguments);

}  // namespace perf
