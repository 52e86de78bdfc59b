// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../line_reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace upsweep::io::detail {

/// The header counts that sections depend on, in the order of their keywords in lammps_header.cpp.
enum class count_key {
  atoms,
  bonds,
  angles,
  dihedrals,
  impropers,
  ellipsoids,
  lines,
  triangles,
  bodies,
  atom_types,
  bond_types,
  angle_types,
  dihedral_types,
  improper_types,
  size
};

/// The keyword of a count, as in the file: "atom types".
std::string_view keyword(count_key key);

/// The header of a data file: each count with the line that gave it (0 where none did), and the box.
struct lammps_header {
  static constexpr std::size_t keys = static_cast<std::size_t>(count_key::size);
  std::array<std::int64_t, keys> counts{};
  std::array<std::int64_t, keys> count_lines{};
  std::array<double, 3> lo{}, hi{};
  std::array<std::int64_t, 3> box_lines{};
  std::array<double, 3> tilt{};
  std::int64_t tilt_line = 0;
  static constexpr std::size_t ignored_keys = 5;
  std::array<std::int64_t, ignored_keys> ignored_lines{};  // of keywords that only LAMMPS needs

  std::int64_t count(count_key key) const { return counts[static_cast<std::size_t>(key)]; }
  std::int64_t line(count_key key) const { return count_lines[static_cast<std::size_t>(key)]; }
};

/// Reads title and header. Returns the name of the first section, empty where the file ends before one.
std::string read_lammps_header(line_reader& reader, lammps_header& header);

}  // namespace upsweep::io::detail
