// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "lammps_header.hpp"

#include <cstdint>
#include <string_view>

namespace upsweep::io::detail {

enum class section_use {
  read_atoms,
  read_velocities,
  read_masses,
  read_bonds,
  read_atom_labels,
  read_bond_labels,
  skip,
  skip_bodies  ///< a body has a line with the numbers of its values, and as many more lines as these take
};

/// A section of the data format: how many lines it has, and what the reader does with them.
struct section {
  std::string_view name;
  count_key lines;
  section_use use;
};

/// The section of this name (words with one blank between them), or null.
section const* find_section(std::string_view name);

/// All sections in a fixed order, so that a position can stand for "seen in line ...".
int section_count();
int section_index(section const& which);

/// How many lines the header promises for it. Throws input_error where the header has no such count.
std::int64_t expected_lines(section const& which, lammps_header const& header, line_reader const& reader);

}  // namespace upsweep::io::detail
