// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "line_reader.hpp"

#include <functional>
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
  double radius_unit = 1;                                      ///< 0.5 where the column of the radius has diameters
};

/// The style of an argument such as "hybrid charge sphere", as LAMMPS' command atom_style has it.
/// Throws input_error, in the name of the file, for anything else.
atom_style style_from_argument(std::string_view words, std::string const& file);

/// A style as the file has it. Several styles may have the same columns in section Atoms and others in Velocities.
struct chosen_style {
  atom_style style;
  std::vector<int> velocity_columns;  ///< each possible number
};

/// The style that the hint of `Atoms # hint` and the argument name, or nothing where neither names one. A hint is a
/// comment: it may name no style, and words behind the name do not count, but those that hybrid and tdpd need. Throws
/// input_error where they differ, and where what they say leaves the columns open.
std::optional<chosen_style> style_from_names(std::string_view hint, std::optional<atom_style> const& argument,
                                             line_reader const& reader);

/// The style that the columns of the first atom leave, among all styles with a fixed number of columns, each with and
/// without image flags. Throws input_error where none fits, or where two fit that place type, coordinates or image
/// flags differently: eight columns may be atomic with image flags or sph, for instance. The other places are those
/// that all styles agree on that fit.
chosen_style style_from_columns(std::vector<std::string_view> const& words,
                                std::function<bool(std::string_view)> const& is_type, line_reader const& reader);

}  // namespace upsweep::io::detail
