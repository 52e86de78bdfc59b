// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "line_reader.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace upsweep::io::detail {

/// Where a line of the Atoms section of one style holds what the reader takes from it; the id is always column 0.
struct atom_style {
  std::string_view name;
  int columns;           ///< without image flags
  int type;              ///< column of the type
  int x;                 ///< column of x; y and z follow
  int velocity_columns;  ///< columns of a line of the Velocities section, the id included; vx, vy and vz follow the id
};

/// A style as the file has it. Several styles may have the same columns in section Atoms and others in Velocities.
struct chosen_style {
  atom_style const* style = nullptr;
  std::vector<int> velocity_columns;  ///< each possible number
};

/// The style that `Atoms # hint` names, or null where the hint is no style's name but some other comment.
/// Throws input_error for a style whose columns are not known.
atom_style const* style_from_hint(std::string_view hint, line_reader const& reader);

/// The style that the columns of the first atom leave, among all styles with a fixed number of columns, each with and
/// without image flags. Throws input_error where none fits, or where two fit that place type, coordinates or image
/// flags differently: eight columns may be atomic with image flags or sph, for instance.
chosen_style style_from_columns(std::vector<std::string_view> const& words, std::int64_t types,
                                line_reader const& reader);

}  // namespace upsweep::io::detail
