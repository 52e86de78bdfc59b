// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/options/command_line.hpp"
#include "../support/options/output_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace study {

struct options : apps::config_files {
  std::vector<std::uint64_t> sizes;
  std::string csv, plot;
  bool engines = true;
  bool force = false;  ///< replace files that are not of this program

  /// The file of --csv, or an empty name.
  std::string csv_file() const { return csv == "-" ? std::string() : csv; }
};

/// The options, or what to say instead of counting.
struct command_line : apps::command_line {
  options values;
};

/// Reads the arguments, without argv[0]. Prints nothing and throws nothing for bad arguments.
command_line parse(std::vector<std::string> const& arguments);

}  // namespace study
