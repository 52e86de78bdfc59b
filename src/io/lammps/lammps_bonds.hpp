// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../line_reader.hpp"
#include "lammps_labels.hpp"
#include "lammps_records.hpp"

#include <upsweep/io/particle_data.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace upsweep::io::detail {

/// The lines of section Bonds: number, type and the ids of two atoms.
class bond_records {
 public:
  void add(std::string_view data, type_names const& types, line_reader const& reader);
  /// Moves everything to `out`, whose ids are there already. Throws input_error for atoms that are not.
  void take(particle_data& out, line_reader const& reader);

 private:
  record_lines lines_;
  std::vector<std::int32_t> types_;
  std::vector<std::int64_t> atoms_;  // ids, two for each bond
};

}  // namespace upsweep::io::detail
