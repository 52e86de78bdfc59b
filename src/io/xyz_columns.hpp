// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "line_reader.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::io::detail {

/// A property of particles in an extended XYZ file: `width` columns.
struct xyz_column {
  enum kind { skipped, species, position, velocity, mass, type, id, edges };
  kind what = skipped;
  std::size_t width = 1;
};

/// The columns of Properties=name:type:width:...; by default species and positions.
class xyz_columns {
 public:
  xyz_columns() : all_{{xyz_column::species, 1}, {xyz_column::position, 3}}, width_(4) {}
  /// Throws: input_error for other forms, for a property that is given twice, and without positions.
  xyz_columns(std::string_view properties, line_reader const& reader);

  std::vector<xyz_column> const& all() const { return all_; }
  std::size_t width() const { return width_; }
  bool have(xyz_column::kind what) const;
  /// Names of those that are not read.
  std::vector<std::string> const& skipped() const { return skipped_; }

 private:
  std::vector<xyz_column> all_;
  std::vector<std::string> skipped_;
  std::size_t width_ = 0;
};

}  // namespace upsweep::io::detail
