// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/io/lammps_data.hpp>

#include "lammps_header.hpp"
#include "lammps_records.hpp"
#include "lammps_sections.hpp"
#include "line_reader.hpp"
#include "tokens.hpp"

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
    if (!reader_.next_data(data)) too_short("the file ends");
    // Names start with capitals, which data lines hardly ever do: the search is off the fast path.
    if (data.front() >= 'A' && data.front() <= 'Z' && find_section(joined_words(data)) != nullptr)
      too_short("section " + quoted(data) + " begins");
    ++read_;
    return true;
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

class parser {
 public:
  explicit parser(std::filesystem::path const& path)
      : reader_(path), seen_(static_cast<std::size_t>(section_count()), 0) {}

  particle_data read() {
    auto name = read_lammps_header(reader_, header_);
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
      reader_.fail("a line behind the end of section '" + before + "': " + quoted(data) + " (expected " +
                   std::to_string(expected_lines(last, header_, reader_)) + " lines, from '" +
                   std::string(keyword(last.lines)) + "' in line " + std::to_string(header_.line(last.lines)) + ")");
    }
    reader_.fail("unknown section " + quoted(data) + " (expected a section of the LAMMPS data format)");
  }

  void read_section(section const& which) {
    if (seen(which) != 0)
      reader_.fail("section '" + std::string(which.name) + "' given twice (expected once; first in line " +
                   std::to_string(seen(which)) + ")");
    seen(which) = reader_.line();
    if (which.use == section_use::refuse)
      reader_.fail("section '" + std::string(which.name) + "' is not supported yet (expected none)");
    auto const types = header_.count(count_key::atom_types);
    std::string const hint(reader_.comment());
    section_lines lines(reader_, which, header_);
    std::string_view data;
    switch (which.use) {
      case section_use::read_atoms:
        atoms_.begin(hint, types, reader_);
        while (lines.next(data)) atoms_.add(data, reader_);
        break;
      case section_use::read_velocities:
        while (lines.next(data)) velocities_.add(data, reader_);
        break;
      case section_use::read_masses:
        masses_.begin(types);
        while (lines.next(data)) masses_.add(data, reader_);
        break;
      default:
        while (lines.next(data)) {
        }
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
    return out;
  }

  line_reader reader_;
  lammps_header header_;
  std::vector<std::int64_t> seen_;  // line of each section, 0: not yet
  atom_records atoms_;
  velocity_records velocities_;
  mass_records masses_;
};

}  // namespace
}  // namespace io::detail

particle_data read_lammps_data(std::filesystem::path const& path) { return io::detail::parser(path).read(); }

}  // namespace upsweep
