// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "lammps_records.hpp"

#include "../reorder.hpp"
#include "../tokens.hpp"
#include "lammps_values.hpp"

#include <algorithm>
#include <numeric>

namespace upsweep::io::detail {
namespace {

/// Positions in ascending order of ids, empty where the ids ascend already. Throws for an id given twice.
std::vector<std::size_t> ascending_order(std::vector<std::int64_t> const& ids, char const* what,
                                         record_lines const& lines, line_reader const& reader) {
  std::vector<std::size_t> order;
  if (std::adjacent_find(ids.begin(), ids.end(), [](auto a, auto b) { return a >= b; }) == ids.end()) return order;
  order.resize(ids.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return ids[a] != ids[b] ? ids[a] < ids[b] : a < b; });
  auto const twice =
      std::adjacent_find(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ids[a] == ids[b]; });
  if (twice != order.end())
    reader.fail_at(lines[*(twice + 1)], std::string(what) + " " + std::to_string(ids[*twice]) +
                                            " given twice (expected once; first in line " +
                                            std::to_string(lines[*twice]) + ")");
  return order;
}

}  // namespace

void record_lines::add(std::size_t record, std::int64_t line) {
  if (runs_.empty() || line - runs_.back().second != static_cast<std::int64_t>(record - runs_.back().first))
    runs_.emplace_back(record, line);
}

std::int64_t record_lines::operator[](std::size_t record) const {
  auto run = std::upper_bound(runs_.begin(), runs_.end(), record,
                              [](std::size_t r, auto const& entry) { return r < entry.first; });
  --run;
  return run->second + static_cast<std::int64_t>(record - run->first);
}

void atom_records::split(std::string_view data) {
  words_.clear();
  for (auto word = next_word(data); !word.empty(); word = next_word(data)) words_.push_back(word);
}

void atom_records::choose_columns(type_names const& types, line_reader const& reader) {
  if (!style_) style_ = style_from_columns(words_, types, reader);
  columns_ = words_.size();
  auto const& style = *style_;
  auto const expected = static_cast<std::size_t>(style.columns);
  if (columns_ != expected && columns_ != expected + 3)
    reader.fail("an atom of style " + style.name + " with " + std::to_string(columns_) + " columns (expected " +
                std::to_string(expected) + ", or " + std::to_string(expected + 3) + " with image flags)");
}

void atom_records::add(std::string_view data, type_names const& types, line_reader const& reader) {
  split(data);
  if (columns_ == 0) choose_columns(types, reader);
  if (words_.size() != columns_)
    reader.fail("an atom with " + std::to_string(words_.size()) + " columns (expected " + std::to_string(columns_) +
                ", as in the section's first line)");
  auto const& style = *style_;
  auto const word = [&](int column) { return words_[static_cast<std::size_t>(column)]; };
  lines_.add(data_.ids.size(), reader.line());
  data_.ids.push_back(read_id(words_[0], reader));
  data_.types.push_back(types.read(word(style.type), reader));
  for (int d = 0; d < 3; ++d) data_.positions.push_back(read_real(word(style.x + d), "coordinate", reader));
  for (int d = 0; d < 3; ++d)
    data_.image_flags.push_back(columns_ == static_cast<std::size_t>(style.columns)
                                    ? 0
                                    : read_integer<std::int32_t>(word(style.columns + d), "image flag", reader));
  if (style.charge) data_.charges.push_back(read_real(word(*style.charge), "charge", reader));
  if (style.molecule)
    data_.molecules.push_back(read_integer<std::int64_t>(word(*style.molecule), "molecule id", reader));
  if (style.radius) {
    double const value = read_real(word(*style.radius), style.radius_unit == 1 ? "radius" : "diameter", reader);
    if (value < 0) reader.fail("a radius below 0: " + quote(word(*style.radius)) + " (expected 0 or more)");
    data_.radii.push_back(style.radius_unit * value);
  }
}

void atom_records::take(particle_data& out, line_reader const& reader) {
  auto const order = ascending_order(data_.ids, "atom id", lines_, reader);
  auto const move = [&](auto& from, auto& to, std::size_t width) {
    if (!order.empty() && !from.empty()) reorder(from, order, width);
    to = std::move(from);
  };
  move(data_.ids, out.ids, 1);
  move(data_.types, out.types, 1);
  move(data_.positions, out.positions, 3);
  move(data_.image_flags, out.image_flags, 3);
  move(data_.charges, out.charges, 1);
  move(data_.molecules, out.molecules, 1);
  move(data_.radii, out.radii, 1);
}

void velocity_records::add(std::string_view data, line_reader const& reader) {
  auto rest = data;
  lines_.add(ids_.size(), reader.line());
  ids_.push_back(read_id(next_word(rest), reader));
  std::size_t columns = 1;
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest), ++columns) {
    double const value = read_real(word, "velocity", reader);
    if (columns <= 3) values_.push_back(value);
  }
  if (columns_ == 0 && columns >= 4) columns_ = columns;
  if (columns != columns_)
    reader.fail("a velocity with " + std::to_string(columns) + " columns (expected " +
                (columns_ == 0 ? std::string("4: atom id, vx, vy, vz")
                               : std::to_string(columns_) + ", as in the section's first line") +
                ")");
}

void velocity_records::check_style(std::optional<atom_style> const& atoms, line_reader const& reader) const {
  if (ids_.empty() || !atoms || static_cast<int>(columns_) == atoms->velocity_columns) return;
  reader.fail_at(lines_[0], "a velocity with " + std::to_string(columns_) + " columns (expected " +
                                std::to_string(atoms->velocity_columns) + " for atom style " + atoms->name + ")");
}

std::vector<std::size_t> velocity_records::order(line_reader const& reader) const {
  return ascending_order(ids_, "velocity of atom id", lines_, reader);
}

void velocity_records::take(std::vector<std::size_t> const& order, particle_data& out, line_reader const& reader) {
  if (ids_.empty()) {
    out.velocities.assign(3 * out.size(), 0.0);
    return;
  }
  // Both sections have as many lines as there are atoms and no id twice, so one pass finds any difference.
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    std::size_t const record = order.empty() ? i : order[i];
    if (ids_[record] == out.ids[i]) continue;
    // Whichever is smaller has no partner on the other side; a velocity without an atom has a line to name.
    auto const stray = std::find_if(ids_.begin(), ids_.end(), [&](std::int64_t id) {
      return !std::binary_search(out.ids.begin(), out.ids.end(), id);
    });
    auto const at = static_cast<std::size_t>(stray - ids_.begin());
    reader.fail_at(lines_[at], "velocity of atom id " + std::to_string(*stray) +
                                   ", which section 'Atoms' does not have (expected "
                                   "one velocity for each atom)");
  }
  if (!order.empty()) reorder(values_, order, 3);
  out.velocities = std::move(values_);
}

void mass_records::add(std::string_view data, type_names const& types, line_reader const& reader) {
  auto rest = data;
  auto const type = types.read(next_word(rest), reader);
  auto const word = next_word(rest);
  double const mass = read_real(word, "mass", reader);
  if (!(mass > 0))
    reader.fail("mass " + std::string(word.substr(0, 40)) + " of type " + std::to_string(type) +
                " (expected more than 0)");
  if (!next_word(rest).empty())
    reader.fail("trailing text behind a mass: " + quote(data) + " (expected type and mass)");
  lines_.add(types_seen_.size(), reader.line());
  types_seen_.push_back(type);
  masses_.push_back(mass);
}

std::vector<double> mass_records::take(line_reader const& reader) {
  // As many lines as types, each between 1 and their number, none twice: every type has its mass.
  auto const order = ascending_order(types_seen_, "mass of type", lines_, reader);
  if (!order.empty()) reorder(masses_, order, 1);
  return std::move(masses_);
}

}  // namespace upsweep::io::detail
