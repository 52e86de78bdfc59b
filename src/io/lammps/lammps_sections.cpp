// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "lammps_sections.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

namespace upsweep::io::detail {
namespace {

using enum count_key;
using enum section_use;

constexpr section sections[] = {
    {"Atoms", atoms, read_atoms},
    {"Velocities", atoms, read_velocities},
    {"Masses", atom_types, read_masses},
    {"Pair Coeffs", atom_types, skip},
    {"PairIJ Coeffs", atom_types, skip},
    {"Bond Coeffs", bond_types, skip},
    {"Angle Coeffs", angle_types, skip},
    {"BondBond Coeffs", angle_types, skip},
    {"BondAngle Coeffs", angle_types, skip},
    {"UreyBradley Coeffs", angle_types, skip},
    {"Dihedral Coeffs", dihedral_types, skip},
    {"MiddleBondTorsion Coeffs", dihedral_types, skip},
    {"EndBondTorsion Coeffs", dihedral_types, skip},
    {"AngleTorsion Coeffs", dihedral_types, skip},
    {"AngleAngleTorsion Coeffs", dihedral_types, skip},
    {"BondBond13 Coeffs", dihedral_types, skip},
    {"Improper Coeffs", improper_types, skip},
    {"AngleAngle Coeffs", improper_types, skip},
    {"Atom Type Labels", atom_types, read_atom_labels},
    {"Bond Type Labels", bond_types, read_bond_labels},
    {"Angle Type Labels", angle_types, skip},
    {"Dihedral Type Labels", dihedral_types, skip},
    {"Improper Type Labels", improper_types, skip},
    {"Bonds", bonds, read_bonds},
    {"Angles", angles, skip},
    {"Dihedrals", dihedrals, skip},
    {"Impropers", impropers, skip},
    {"Ellipsoids", ellipsoids, skip},
    {"Lines", lines, skip},
    {"Triangles", triangles, skip},
    {"Bodies", bodies, skip_bodies},
};

}  // namespace

section const* find_section(std::string_view name) {
  auto const* const found =
      std::find_if(std::begin(sections), std::end(sections), [&](section const& s) { return s.name == name; });
  return found == std::end(sections) ? nullptr : found;
}

int section_count() { return static_cast<int>(std::size(sections)); }

int section_index(section const& which) { return static_cast<int>(&which - sections); }

std::int64_t expected_lines(section const& which, lammps_header const& header, line_reader const& reader) {
  if (header.line(which.lines) == 0)
    reader.fail("section '" + std::string(which.name) + "' without a count (expected '" +
                std::string(keyword(which.lines)) + "' in the header)");
  std::int64_t const n = header.count(which.lines);
  if (which.name != "PairIJ Coeffs") return n;
  constexpr std::int64_t largest = 3'000'000'000;  // n (n+1) / 2 still fits in 63 bits
  return n > largest ? std::numeric_limits<std::int64_t>::max() : n * (n + 1) / 2;
}

}  // namespace upsweep::io::detail
