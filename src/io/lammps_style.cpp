// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "lammps_style.hpp"

#include "tokens.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace upsweep::io::detail {
namespace {

// As LAMMPS itself reads them (fields_data_atom and fields_data_vel of its atom styles), which is not always what its
// documentation says: the type of template is behind the three template columns.
constexpr atom_style styles[] = {
    // name, columns, type, x, columns of Velocities
    {"atomic", 5, 1, 2, 4},      {"charge", 6, 1, 3, 4},
    {"molecular", 6, 2, 3, 4},   {"bond", 6, 2, 3, 4},
    {"angle", 6, 2, 3, 4},       {"full", 7, 2, 4, 4},
    {"amoeba", 7, 2, 4, 4},      {"sphere", 7, 1, 4, 7},  // diameter, density; angular velocity
    {"ellipsoid", 7, 1, 4, 7},                            // flag, density; angular momentum
    {"dipole", 9, 1, 3, 4},                               // charge, x, y, z, dipole moment
    {"dpd", 6, 1, 3, 4},         {"mdpd", 6, 1, 3, 4},
    {"edpd", 7, 1, 4, 4},        {"electron", 8, 1, 5, 5},  // charge, spin, radius; radial velocity
    {"line", 8, 2, 5, 7},                                   // molecule, type, flag, density; angular velocity
    {"tri", 8, 2, 5, 10},                                   // as line; angular velocity and momentum
    {"peri", 7, 1, 4, 4},        {"template", 8, 4, 5, 4},  // molecule, template, atom of the template, type
    {"spin", 9, 1, 2, 4},                                   // x, y, z, spin direction and length
    {"sph", 8, 1, 5, 4},         {"oxdna", 5, 1, 2, 4},
    {"wavepacket", 11, 1, 8, 5},  // charge, spin, radius, tag, two coefficients; radial velocity
    {"bpm/sphere", 8, 2, 5, 7},   // molecule, type, diameter, density; angular velocity
    {"smd", 13, 1, 10, 4},        // molecule, volume, mass, two radii, reference position
    {"dielectric", 15, 2, 4, 4},  // molecule, type, charge, x, y, z, eight properties
    {"rheo", 7, 1, 4, 4},        {"rheo/thermal", 8, 1, 5, 4},
};

// Their lines have as many columns as the input script of LAMMPS says.
constexpr std::array<std::string_view, 3> unplaced{"hybrid", "body", "tdpd"};

bool is_integer(std::string_view word) {
  std::int64_t value = 0;
  return parse_number(word, value) == number_status::good;
}

bool is_type(std::string_view word, std::int64_t types) {
  std::int64_t value = 0;
  return parse_number(word, value) == number_status::good && value >= 1 && value <= types;
}

/// Whether this style's columns that must be integers are.
bool fits(atom_style const& style, std::vector<std::string_view> const& words, std::int64_t types) {
  auto const n = static_cast<int>(words.size());
  if (n != style.columns && n != style.columns + 3) return false;
  if (!is_type(words[static_cast<std::size_t>(style.type)], types)) return false;
  for (int i = 1; i < style.type; ++i)
    if (!is_integer(words[static_cast<std::size_t>(i)])) return false;
  for (int i = style.columns; i < n; ++i)
    if (!is_integer(words[static_cast<std::size_t>(i)])) return false;
  return true;
}

bool same_places(atom_style const& a, atom_style const& b) {
  return a.columns == b.columns && a.type == b.type && a.x == b.x;
}

}  // namespace

atom_style const* style_from_hint(std::string_view hint, line_reader const& reader) {
  auto name = next_word(hint);
  if (name.ends_with("/kk")) name.remove_suffix(3);  // the variants for Kokkos read the same lines
  if (std::find(unplaced.begin(), unplaced.end(), name) != unplaced.end())
    reader.fail("atom style '" + std::string(name) +
                "' is not supported yet (expected atomic, charge, molecular, full, sphere "
                "or another style with fixed columns)");
  auto const* const found =
      std::find_if(std::begin(styles), std::end(styles), [&](atom_style const& s) { return s.name == name; });
  return found == std::end(styles) ? nullptr : found;
}

chosen_style style_from_columns(std::vector<std::string_view> const& words, std::int64_t types,
                                line_reader const& reader) {
  chosen_style chosen;
  std::vector<atom_style const*> fitting;  // one for each set of places
  for (auto const& style : styles) {
    if (!fits(style, words, types)) continue;
    chosen.velocity_columns.push_back(style.velocity_columns);
    if (std::none_of(fitting.begin(), fitting.end(), [&](auto const* other) { return same_places(style, *other); }))
      fitting.push_back(&style);
  }
  auto const columns = std::to_string(words.size()) + " columns";
  if (fitting.empty())
    reader.fail("this atom's " + columns +
                " fit none of the styles atomic, charge, molecular, full, sphere and others (expected "
                "the style behind the section's name, such as 'Atoms # full')");
  if (fitting.size() > 1) {
    std::string names(fitting[0]->name);
    for (std::size_t i = 1; i < fitting.size(); ++i) names.append(" and ").append(fitting[i]->name);
    reader.fail("this atom's " + columns + " fit the styles " + names +
                " (expected the style behind the section's name, such "
                "as 'Atoms # " +
                std::string(fitting[0]->name) + "')");
  }
  chosen.style = fitting[0];
  auto& numbers = chosen.velocity_columns;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return chosen;
}

}  // namespace upsweep::io::detail
