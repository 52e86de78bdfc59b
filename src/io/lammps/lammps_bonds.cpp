// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "lammps_bonds.hpp"

#include "../tokens.hpp"
#include "lammps_values.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace upsweep::io::detail {
namespace {

/// Where an id is among ascending ones, or their number where it is not.
std::size_t position_of(std::int64_t id, std::vector<std::int64_t> const& ids) {
  if (ids.empty() || id < ids.front()) return ids.size();
  // Most files number their atoms without gaps.
  auto const guess = static_cast<std::size_t>(id - ids.front());
  if (guess < ids.size() && ids[guess] == id) return guess;
  auto const found = std::lower_bound(ids.begin(), ids.end(), id);
  return found != ids.end() && *found == id ? static_cast<std::size_t>(found - ids.begin()) : ids.size();
}

}  // namespace

void bond_records::add(std::string_view data, type_names const& types, line_reader const& reader) {
  auto rest = data;
  read_integer<std::int64_t>(next_word(rest), "bond number", reader);
  auto const type = types.read(next_word(rest), reader);
  auto const first = read_id(next_word(rest), reader), second = read_id(next_word(rest), reader);
  if (!next_word(rest).empty())
    reader.fail("trailing text behind a bond: " + quote(data) + " (expected number, type and two atom ids)");
  if (first == second) reader.fail("a bond of atom id " + std::to_string(first) + " with itself (expected two atoms)");
  lines_.add(types_.size(), reader.line());
  types_.push_back(type);
  atoms_.push_back(first);
  atoms_.push_back(second);
}

void bond_records::take(particle_data& out, line_reader const& reader) {
  for (std::size_t k = 0; k < atoms_.size(); ++k) {
    auto const at = position_of(atoms_[k], out.ids);
    if (at == out.ids.size())
      reader.fail_at(lines_[k / 2], "bond of atom id " + std::to_string(atoms_[k]) +
                                        ", which section 'Atoms' does not have (expected atoms of the file)");
    atoms_[k] = static_cast<std::int64_t>(at);
  }
  out.bonds = std::move(atoms_);
  out.bond_types = std::move(types_);
}

}  // namespace upsweep::io::detail
