// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "lammps_records.hpp"

#include "reorder.hpp"
#include "tokens.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace upsweep::io::detail {
namespace {

template <class Integer>
Integer read_integer(std::string_view word, char const* what, std::int64_t least, std::int64_t largest,
                     line_reader const& reader) {
  std::int64_t value = 0;
  auto const status = parse_number(word, value);
  if (status == number_status::not_a_number)
    reader.fail(std::string(what) + " is " + quoted(word) + " (expected an integer)");
  if (status == number_status::out_of_range || value < least || value > largest)
    reader.fail(std::string(what) + " " + quoted(word) + " out of range (expected " + std::to_string(least) + " to " +
                std::to_string(largest) + ")");
  return static_cast<Integer>(value);
}

double read_real(std::string_view word, char const* what, line_reader const& reader) {
  double value = 0;
  auto const status = parse_number(word, value);
  if (status == number_status::not_a_number)
    reader.fail(std::string(what) + " is " + quoted(word) + " (expected a number)");
  if (status == number_status::out_of_range || !std::isfinite(value))
    reader.fail(std::string(what) + " is " + quoted(word) + " (expected a finite number)");
  return value;
}

std::int64_t read_id(std::string_view word, line_reader const& reader) {
  return read_integer<std::int64_t>(word, "atom id", 1, std::numeric_limits<std::int64_t>::max(), reader);
}

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

void atom_records::begin(std::string const& hint, std::int64_t types, line_reader const& reader) {
  types_ = types;
  chosen_.style = hint.empty() ? nullptr : style_from_hint(hint, reader);
  if (chosen_.style != nullptr) chosen_.velocity_columns.assign(1, chosen_.style->velocity_columns);
}

void atom_records::split(std::string_view data) {
  words_.clear();
  for (auto word = next_word(data); !word.empty(); word = next_word(data)) words_.push_back(word);
}

void atom_records::choose_columns(line_reader const& reader) {
  if (chosen_.style == nullptr) chosen_ = style_from_columns(words_, types_, reader);
  columns_ = words_.size();
  auto const expected = static_cast<std::size_t>(chosen_.style->columns);
  if (columns_ != expected && columns_ != expected + 3)
    reader.fail("an atom of style " + std::string(chosen_.style->name) + " with " + std::to_string(columns_) +
                " columns (expected " + std::to_string(expected) + ", or " + std::to_string(expected + 3) +
                " with image flags)");
}

void atom_records::add(std::string_view data, line_reader const& reader) {
  split(data);
  if (columns_ == 0) choose_columns(reader);
  if (words_.size() != columns_)
    reader.fail("an atom with " + std::to_string(words_.size()) + " columns (expected " + std::to_string(columns_) +
                ", as in the section's first line)");
  auto const& style = *chosen_.style;
  lines_.add(data_.ids.size(), reader.line());
  data_.ids.push_back(read_id(words_[0], reader));
  data_.types.push_back(
      read_integer<std::int32_t>(words_[static_cast<std::size_t>(style.type)], "atom type", 1, types_, reader));
  auto const x = static_cast<std::size_t>(style.x);
  for (std::size_t d = 0; d < 3; ++d) data_.positions.push_back(read_real(words_[x + d], "coordinate", reader));
  auto const flags = static_cast<std::size_t>(style.columns);
  for (std::size_t d = 0; d < 3; ++d)
    data_.image_flags.push_back(columns_ == flags ? 0
                                                  : read_integer<std::int32_t>(words_[flags + d], "image flag",
                                                                               -2147483648LL, 2147483647LL, reader));
}

void atom_records::take(particle_data& out, line_reader const& reader) {
  auto const order = ascending_order(data_.ids, "atom id", lines_, reader);
  if (!order.empty()) {
    reorder(data_.ids, order, 1);
    reorder(data_.types, order, 1);
    reorder(data_.positions, order, 3);
    reorder(data_.image_flags, order, 3);
  }
  out.ids = std::move(data_.ids);
  out.types = std::move(data_.types);
  out.positions = std::move(data_.positions);
  out.image_flags = std::move(data_.image_flags);
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

void velocity_records::check_style(chosen_style const& atoms, line_reader const& reader) const {
  auto const& possible = atoms.velocity_columns;
  if (ids_.empty() || atoms.style == nullptr ||
      std::find(possible.begin(), possible.end(), static_cast<int>(columns_)) != possible.end())
    return;
  std::string expected;
  for (int const n : possible) expected.append(expected.empty() ? "" : " or ").append(std::to_string(n));
  reader.fail_at(lines_[0], "a velocity with " + std::to_string(columns_) + " columns (expected " + expected +
                                " for atom style " + std::string(atoms.style->name) + ")");
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

void mass_records::add(std::string_view data, line_reader const& reader) {
  auto rest = data;
  auto const type = read_integer<std::int64_t>(next_word(rest), "atom type", 1, types_, reader);
  auto const word = next_word(rest);
  double const mass = read_real(word, "mass", reader);
  if (!(mass > 0))
    reader.fail("mass " + std::string(word.substr(0, 40)) + " of type " + std::to_string(type) +
                " (expected more than 0)");
  if (!next_word(rest).empty())
    reader.fail("trailing text behind a mass: " + quoted(data) + " (expected type and mass)");
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
