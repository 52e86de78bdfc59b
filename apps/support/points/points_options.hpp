// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <array>
#include <string>

namespace apps {

/// What programs read points from, for messages on other files.
inline constexpr char formats_read[] =
    "read are LAMMPS data, extended XYZ (.xyz, .extxyz), both also with .gz, and NumPy (.npy)";

/// The kinds of files that have points.
enum class points_format { lammps_data, extended_xyz, npy };

/// By the end of the name: .npy; .xyz or .extxyz, also before .gz. All others are LAMMPS data files.
points_format points_format_of(std::string const& name);

/// What the options of a program say about its points.
struct points_options {
  std::string input;       ///< LAMMPS data, extended XYZ or NumPy file, or empty
  std::string atom_style;  ///< of a LAMMPS data file, or empty
  /// Of a NumPy file: lengths of the box, or zeros, the third one alone in two dimensions; xy, xz, yz; lower corner.
  std::array<double, 3> box{}, tilt{}, origin{};
  std::array<bool, 3> open{};  ///< directions of --open; none: as the file says

  bool has_box() const { return box[0] > 0; }
  bool has_flat_box() const { return has_box() && box[2] == 0; }
};

}  // namespace apps
