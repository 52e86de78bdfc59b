// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace study {

struct options {
  std::vector<std::uint64_t> sizes;
  std::string csv, plot;
  bool engines = true;
};

struct command_line {
  options values;
  bool proceed = true;
  int exit_code = 0;
  std::string text;  ///< what to say when the program does not proceed
};

/// Pre: arguments without the program's name.
command_line parse(std::vector<std::string> arguments);

}  // namespace study
