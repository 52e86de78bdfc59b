// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/options/command_line.hpp"
#include "../support/options/output_options.hpp"
#include "../support/points/points_options.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace surface {

/// What the command line asks for.
struct options : apps::points_options, apps::output_options {
  std::string field;  ///< .npy file of three dimensions, with point (0, 0, 0) at `origin`; empty: particles of `input`
  double iso = 0.5;
  std::optional<std::array<double, 3>> spacing;  ///< of the field, 1 if not given; of particles, see density.hpp
  double radius = 0;                             ///< of particles
  std::string output;
  std::int64_t repeat = 1;
};

/// The options, or what to say instead of a run.
struct command_line : apps::command_line {
  options values;
};

/// Reads the arguments, without argv[0]. Prints nothing and throws nothing for bad arguments.
command_line parse(std::vector<std::string> const& arguments);

}  // namespace surface
