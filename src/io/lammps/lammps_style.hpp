// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../line_reader.hpp"
#include "lammps_labels.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::io::detail {

/// Where a line of the Atoms section of one style holds what the reader takes from it; the id is always column 0.
struct atom_style {
  std::string name;          ///< with the arguments that decide on columns: "full", "tdpd 3", "hybrid charge sphere"
  int columns = 0;           ///< without image flags
  int type = 0;              ///< column of the type
  int x = 0;                 ///< column of x; y and z follow
  int velocity_columns = 0;  ///< columns of a line of the Velocities section, the id included; vx, vy and vz follow it
  std::optional<int> charge = {}, molecule = {}, radius = {};  ///< columns, where the style has them
  std::vector<std::string> unread = {};  ///< names of what else its lines have: "Atoms column rmass"
  std::vector<std::string> unread_of_velocities = {};
  double radius_unit = 1;  ///< 0.5 where the column of the radius has diameters
};

/// The style of an argument such as "hybrid charge sphere", as LAMMPS' command atom_style has it.
/// Throws input_error, in the name of the file, for anything else.
atom_style style_from_argument(std::string_view words, std::string const& file);

/// The style that the hint of `Atoms # hint` and the argument name, or nothing where neither names one. A hint is a
/// comment: it may name no style, and words behind the name do not count, but those that hybrid and tdpd need. Throws
/// input_error where they differ, and where what they say leaves the columns open.
std::optional<atom_style> style_from_names(std::string_view hint, std::optional<atom_style> const& argument,
                                           line_reader const& reader);

/// The style of a section that names none, by its first atom, where this atom can be of no other style, of those that
/// are hybrid or that we do not know either: atomic of five columns, and molecular or full where the second column
/// cannot be a type. Throws input_error for all others.
atom_style style_from_columns(std::vector<std::string_view> const& words, type_names const& types,
                              line_reader const& reader);

}  // namespace upsweep::io::detail
