// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../../apps/support/options/command_line.hpp"

#include <gtest/gtest.h>

#include <string>

namespace apps {

/// A command line was refused with the exit code of bad input and one line that has `message` in it.
inline void expect_refused(command_line const& line, std::string const& message) {
  EXPECT_FALSE(line.proceed);
  EXPECT_EQ(line.exit_code, bad_input) << message;
  EXPECT_NE(line.text.find(message), std::string::npos) << line.text;
  EXPECT_EQ(line.text.find('\n'), std::string::npos) << line.text;
}

}  // namespace apps
