// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/options/command_line.hpp"
#include "../support/options/output_options.hpp"
#include "../support/points/points_options.hpp"
#include "method.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace interpolate {

/// What the command line asks for. A NumPy file of points may be (n, 2), and its box flat.
struct options : apps::points_options, apps::output_options {
  std::string values;   ///< .npy file (n) or (n, fields)
  std::string targets;  ///< .npy file (m, 2) or (m, 3); empty: a grid
  std::vector<std::int64_t> grid;
  std::vector<double> from, to;  ///< corners of the grid; empty: of the points, or of the box
  method wanted = method::linear;
  double radius = 0;
  std::string output;
};

/// The options, or what to say instead of a run.
struct command_line : apps::command_line {
  options values;
};

/// Reads the arguments, without argv[0]. Prints nothing and throws nothing for bad arguments.
command_line parse(std::vector<std::string> const& arguments);

}  // namespace interpolate
