// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/command_line.hpp"
#include "method.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace interpolate {

/// What the command line asks for.
struct options {
  std::string points;      ///< .npy file (n, 2) or (n, 3), LAMMPS data or extended XYZ file
  std::string atom_style;  ///< of a LAMMPS data file, or empty
  std::string values;      ///< .npy file (n) or (n, fields)
  std::string targets;     ///< .npy file (m, 2) or (m, 3); empty: a grid
  std::vector<std::int64_t> grid;
  std::vector<double> from, to;  ///< corners of the grid; empty: of the points, or of the box
  std::vector<double> box;       ///< lengths of a .npy file's box, from 0; empty: none
  std::array<double, 3> tilt{};  ///< of that box: xy, xz, yz
  std::array<bool, 3> open{};    ///< directions of --open; none: as the file says
  method wanted = method::linear;
  double radius = 0;
  std::string output;
  std::string report;  ///< "-": standard output, instead of the table
  bool force = false;
};

/// The options, or what to say instead of a run.
struct command_line : apps::command_line {
  options values;
};

/// Reads the arguments, without argv[0]. Prints nothing and throws nothing for bad arguments.
command_line parse(std::vector<std::string> const& arguments);

}  // namespace interpolate
