// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "neighbors/selection.hpp"
#include "pack/selection.hpp"
#include "scan/selection.hpp"

#include <optional>
#include <string>

namespace perf {

struct options {
  std::string csv, results, machine, git, filter = ".*";
  std::vector<std::string> benchmarks = {"scan", "pack", "neighbors"};
  scan_selection scans;
  pack::pack_selection packs;
  neighbors::list_selection lists;
};

/// Reads the command line into `result`; an exit code when the program has nothing to do: 0 for --help, 2 for a mistake.
std::optional<int> parse_options(int argc, char** argv, options& result);

}  // namespace perf
