// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/command_line.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace surface {

/// What the command line asks for.
struct options {
  std::string field;       ///< .npy file of three dimensions; empty: particles
  std::string particles;   ///< LAMMPS data file, or .npy file of positions
  std::string atom_style;  ///< of a LAMMPS data file, or empty
  double iso = 0.5;
  std::optional<std::array<double, 3>> spacing;  ///< of the field, 1 if not given; of particles, see density.hpp
  std::array<double, 3> origin{0, 0, 0};
  double radius = 0;                         ///< of particles
  std::optional<std::array<double, 3>> box;  ///< periodic box of positions in a .npy file
  bool open = false;                         ///< leave the box of a data file out
  std::string output;
  std::string report;  ///< "-": standard output, instead of the table
  bool force = false;
  std::int64_t repeat = 1;
};

/// The options, or what to say instead of a run.
struct command_line : apps::command_line {
  options values;
};

/// By the name's ending.
bool is_npy(std::string const& path);

/// Reads the arguments, without argv[0]. Prints nothing and throws nothing for bad arguments.
command_line parse(std::vector<std::string> const& arguments);

}  // namespace surface
