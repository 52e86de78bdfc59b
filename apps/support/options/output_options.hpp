// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string>
#include <vector>

namespace apps {

/// The files that options came from (--config). Options of programs that write where the user says derive from this.
struct config_files {
  std::vector<std::string> config;
};

/// What the options of a program say about what it writes beside its results.
struct output_options : config_files {
  std::string report;        ///< JSON file; "-": standard output, instead of the table
  bool force = false;        ///< replace files that are not of this program
  bool no_progress = false;  ///< print no progress on standard error

  bool report_is_standard_output() const { return report == "-"; }
  /// The file of --report, or an empty name.
  std::string report_file() const { return report == "-" ? std::string() : report; }
};

}  // namespace apps
