// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string>

namespace apps {

/// Programs end with 0, or with this code after bad arguments, bad input or output that could not be written.
inline constexpr int bad_input = 2;

/// What reading a command line came to: the program goes on, or prints `text` and ends.
struct command_line {
  bool proceed = true;
  int exit_code = 0;
  std::string text;  ///< help or version where exit_code is 0, else what was wrong, in one line
  std::string note;  ///< a line for standard error before the run, or empty
};

}  // namespace apps
