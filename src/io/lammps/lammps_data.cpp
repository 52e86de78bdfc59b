// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/io/lammps_data.hpp>

#include "../line_reader.hpp"
#include "../tokens.hpp"
#include "lammps_bonds.hpp"
#include "lammps_header.hpp"
#include "lammps_labels.hpp"
#include "lammps_records.hpp"
#include "lammps_sections.hpp"
#include "lammps_style.hpp"
#include "lammps_values.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace upsweep {
namespace io::detail {
namespace {

/// Reads the lines of one section and refuses a section that ends early.
class section_lines {
 public:
  section_lines(line_reader& reader, section const& which, lammps_header const& header)
      : reader_(reader), section_(which), header_(header), expected_(expected_lines(which, header, reader)) {}

  /// The next line, false after the last.
  bool next(std::string_view& data) {
    if (read_ == expected_) return false;
    take(data);
    ++read_;
    return true;
  }

  /// A line that continues the one before.
  void take(std::string_view& data) {
    if (!reader_.next_data(data)) too_short("the file ends");
    // Names start with capitals, which data lines hardly ever do: the search is off the fast path.
    if (data.front() >= 'A' && data.front() <= 'Z' && find_section(joined_words(data)) != nullptr)
      too_short("section " + quote(data) + " begins");
  }

 private:
  [[noreturn]] void too_short(std::string const& where) const {
    reader_.fail(where + " after " + std::to_string(read_) + " lines of section '" + std::string(section_.name) +
                 "' (expected " + std::to_string(expected_) + ", from '" + std::string(keyword(section_.lines)) +
                 "' in line " + std::to_string(header_.line(section_.lines)) + ")");
  }

  line_reader& reader_;
  section const& section_;
  lammps_header const& header_;
  std::int64_t expected_;
  std::int64_t read_ = 0;
};

/// Reads over the lines of a body, whose first one says how many integers and other numbers follow.
void skip_body(std::string_view data, section_lines& lines, line_reader const& reader) {
  read_id(next_word(data), reader);
  std::int64_t left[2];
  for (auto& n : left)
    n = read_integer<std::int64_t>(next_word(data), "number of values of a body", 0,
                                   std::numeric_limits<std::int64_t>::max(), reader);
  if (!next_word(data).empty()) reader.fail("more than 3 columns of a body (expected id and two numbers of values)");
  for (auto n : left) {
    while (n > 0) {
      lines.take(data);
      while (!next_word(data).empty())
        if (n-- == 0) reader.fail("more values of a body than its first line says (expected as many)");
    }
  }
}

class parser {
 public:
  parser(std::filesystem::path const& path, lammps_data_options const& options)
      : reader_(path), seen_(static_cast<std::size_t>(section_count()), 0) {
    if (!options.atom_style.empty()) argument_ = style_from_argument(options.atom_style, path.string());
  }

  particle_data read() {
    auto name = read_lammps_header(reader_, header_);
    atom_types_.begin(header_.count(count_key::atom_types));
    // LAMMPS needs the number of bond types; without it the reader takes any.
    constexpr std::int64_t any = std::numeric_limits<std::int32_t>::max();
    bond_types_.begin(header_.line(count_key::bond_types) == 0 ? any
                                                               : std::min(any, header_.count(count_key::bond_types)));
    while (!name.empty()) {
      read_section(*find_section(name));
      name = next_section(name);
    }
    if (header_.count(count_key::atoms) > 0 && seen(*find_section("Atoms")) == 0)
      reader_.fail("the file ends without section 'Atoms' (expected " +
                   std::to_string(header_.count(count_key::atoms)) + " atoms, from line " +
                   std::to_string(header_.line(count_key::atoms)) + ")");
    return finish();
  }

 private:
  std::int64_t& seen(section const& which) { return seen_[static_cast<std::size_t>(section_index(which))]; }

  std::string next_section(std::string const& before) {
    std::string_view data;
    if (!reader_.next_data(data)) return {};
    auto name = joined_words(data);
    if (find_section(name) != nullptr) return name;
    auto rest = data;
    double ignored = 0;
    if (parse_number(next_word(rest), ignored) != number_status::not_a_number) {
      auto const& last = *find_section(before);
      reader_.fail("a line behind the end of section '" + before + "': " + quote(data) + " (expected " +
                   std::to_string(expected_lines(last, header_, reader_)) + " lines, from '" +
                   std::string(keyword(last.lines)) + "' in line " + std::to_string(header_.line(last.lines)) + ")");
    }
    reader_.fail("unknown section " + quote(data) + " (expected a section of the LAMMPS data format)");
  }

  void read_section(section const& which) {
    if (seen(which) != 0)
      reader_.fail("section '" + std::string(which.name) + "' given twice (expected once; first in line " +
                   std::to_string(seen(which)) + ")");
    seen(which) = reader_.line();
    std::string const hint(reader_.comment());
    section_lines lines(reader_, which, header_);
    std::string_view data;
    auto const add_all = [&](auto& into, auto const&... types) {
      while (lines.next(data)) into.add(data, types..., reader_);
    };
    switch (which.use) {
      case section_use::read_atoms:
        atoms_.begin(style_from_names(hint, argument_, reader_));
        return add_all(atoms_, atom_types_);
      case section_use::read_velocities: return add_all(velocities_);
      case section_use::read_masses: return add_all(masses_, atom_types_);
      case section_use::read_bonds: return add_all(bonds_, bond_types_);
      case section_use::read_atom_labels: return add_all(atom_types_);
      case section_use::read_bond_labels: return add_all(bond_types_);
      case section_use::skip:
        skipped_.emplace_back(which.name);
        while (lines.next(data)) {
        }
        return;
      case section_use::skip_bodies:
        skipped_.emplace_back(which.name);
        while (lines.next(data)) skip_body(data, lines, reader_);
    }
  }

  particle_data finish() {
    particle_data out;
    out.lo = header_.lo;
    out.hi = header_.hi;
    out.tilt = header_.tilt;
    out.masses = masses_.take(reader_);
    auto const velocity_order = velocities_.order(reader_);
    if (seen(*find_section("Velocities")) != 0) velocities_.check_style(atoms_.style(), reader_);
    atoms_.take(out, reader_);
    velocities_.take(velocity_order, out, reader_);
    bonds_.take(out, reader_);
    if (auto const& style = atoms_.style()) {
      skipped_.insert(skipped_.end(), style->unread.begin(), style->unread.end());
      auto const& more = style->unread_of_velocities;
      if (seen(*find_section("Velocities")) != 0) skipped_.insert(skipped_.end(), more.begin(), more.end());
    }
    out.skipped = std::move(skipped_);
    return out;
  }

  line_reader reader_;
  lammps_header header_;
  std::vector<std::int64_t> seen_;  // line of each section, 0: not yet
  std::optional<atom_style> argument_;
  type_names atom_types_{"atom type", "Atom Type Labels"};
  type_names bond_types_{"bond type", "Bond Type Labels"};
  atom_records atoms_;
  velocity_records velocities_;
  mass_records masses_;
  bond_records bonds_;
  std::vector<std::string> skipped_;
};

}  // namespace
}  // namespace io::detail

particle_data read_lammps_data(std::filesystem::path const& path, lammps_data_options const& options) {
  return io::detail::parser(path, options).read();
}

}  // namespace upsweep
