// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "lammps_header.hpp"

#include "../tokens.hpp"
#include "lammps_sections.hpp"

#include <algorithm>
#include <vector>

namespace upsweep::io::detail {
namespace {

constexpr std::array<std::string_view, lammps_header::keys> count_keywords{
    "atoms",     "bonds",  "angles",     "dihedrals",  "impropers",   "ellipsoids",     "lines",
    "triangles", "bodies", "atom types", "bond types", "angle types", "dihedral types", "improper types"};

constexpr std::array<std::string_view, lammps_header::ignored_keys> ignored_counts{
    "extra bond per atom", "extra angle per atom", "extra dihedral per atom", "extra improper per atom",
    "extra special per atom"};

constexpr std::array<std::string_view, 3> box_keywords{"xlo xhi", "ylo yhi", "zlo zhi"};

/// One header line: the numbers in front and the keyword behind them.
struct header_line {
  std::vector<std::string_view> values;
  std::string keyword;
};

header_line split(std::string_view data) {
  header_line line;
  std::string_view rest = data;
  for (;;) {
    std::string_view after = rest;
    auto const word = next_word(after);
    double ignored = 0;
    if (word.empty() || parse_number(word, ignored) == number_status::not_a_number) break;
    line.values.push_back(word);
    rest = after;
  }
  line.keyword = joined_words(rest);
  return line;
}

void need_values(line_reader const& reader, header_line const& line, std::size_t n) {
  if (line.values.size() != n)
    reader.fail("header keyword '" + line.keyword + "' behind " + std::to_string(line.values.size()) +
                " numbers (expected " + std::to_string(n) + ")");
}

[[noreturn]] void refuse_second(line_reader const& reader, header_line const& line, std::int64_t first) {
  reader.fail("header keyword '" + line.keyword + "' given twice (expected once; first in line " +
              std::to_string(first) + ")");
}

std::int64_t read_count(line_reader const& reader, header_line const& line) {
  need_values(reader, line, 1);
  std::int64_t value = 0;
  auto const status = parse_number(line.values[0], value);
  if (status == number_status::out_of_range || (status == number_status::good && value < 0))
    reader.fail("number of " + line.keyword + " out of range: " + quote(line.values[0]) + " (expected 0 to 2^63-1)");
  if (status != number_status::good)
    reader.fail("number of " + line.keyword + " is " + quote(line.values[0]) + " (expected an integer)");
  return value;
}

double read_real(line_reader const& reader, header_line const& line, std::size_t i) {
  double value = 0;
  auto const status = parse_number(line.values[i], value);
  if (status != number_status::good || !std::isfinite(value))
    reader.fail("box size " + quote(line.values[i]) + " before '" + line.keyword + "' (expected a finite number)");
  return value;
}

void read_box_line(line_reader const& reader, header_line const& line, std::size_t d, lammps_header& header) {
  need_values(reader, line, 2);
  if (header.box_lines[d] != 0) refuse_second(reader, line, header.box_lines[d]);
  header.lo[d] = read_real(reader, line, 0);
  header.hi[d] = read_real(reader, line, 1);
  header.box_lines[d] = reader.line();
  if (!(header.hi[d] > header.lo[d]))
    reader.fail("the box runs from " + std::string(line.values[0]) + " to " + std::string(line.values[1]) + " in " +
                "xyz"[d] + " (expected lo < hi)");
  if (!std::isfinite(header.hi[d] - header.lo[d]))
    reader.fail("the box is too long for a double (expected finite hi - lo)");
}

void read_tilt(line_reader const& reader, header_line const& line, lammps_header& header) {
  need_values(reader, line, 3);
  if (header.tilt_line != 0) refuse_second(reader, line, header.tilt_line);
  for (std::size_t i = 0; i < 3; ++i) header.tilt[i] = read_real(reader, line, i);
  header.tilt_line = reader.line();
}

void read_header_line(line_reader const& reader, std::string_view data, lammps_header& header) {
  auto const line = split(data);
  if (line.values.empty())
    reader.fail("unknown section " + quote(data) + " (expected a header line or a section of the LAMMPS data format)");
  if (line.keyword == "xy xz yz") return read_tilt(reader, line, header);
  auto const box = std::find(box_keywords.begin(), box_keywords.end(), line.keyword);
  if (box != box_keywords.end())
    return read_box_line(reader, line, static_cast<std::size_t>(box - box_keywords.begin()), header);
  if (line.keyword == "avec" || line.keyword == "bvec" || line.keyword == "cvec" || line.keyword == "abc origin")
    reader.fail("general triclinic box ('" + line.keyword +
                "'): not supported yet (expected 'xlo xhi' and so on, with 'xy xz yz' where it is tilted)");
  auto const ignored = std::find(ignored_counts.begin(), ignored_counts.end(), line.keyword);
  if (ignored != ignored_counts.end()) {
    auto& seen = header.ignored_lines[static_cast<std::size_t>(ignored - ignored_counts.begin())];
    if (seen != 0) refuse_second(reader, line, seen);
    read_count(reader, line);
    seen = reader.line();
    return;
  }
  auto const found = std::find(count_keywords.begin(), count_keywords.end(), line.keyword);
  if (found == count_keywords.end())
    reader.fail("unknown header line " + quote(data) + " (expected a count such as '32000 atoms', or 'xlo xhi')");
  auto const key = static_cast<std::size_t>(found - count_keywords.begin());
  if (header.count_lines[key] != 0) refuse_second(reader, line, header.count_lines[key]);
  header.counts[key] = read_count(reader, line);
  header.count_lines[key] = reader.line();
}

void check_complete(line_reader const& reader, lammps_header const& header) {
  std::string missing;
  auto const add = [&](std::string_view what) { missing += (missing.empty() ? "'" : ", '") + std::string(what) + "'"; };
  if (header.line(count_key::atoms) == 0) add("atoms");
  if (header.line(count_key::atom_types) == 0) add("atom types");
  for (std::size_t d = 0; d < 3; ++d)
    if (header.box_lines[d] == 0) add(box_keywords[d]);
  if (!missing.empty())
    reader.fail("the header ends here without " + missing +
                " (expected them before the first section; line 1 is a title)");
  if (header.count(count_key::atom_types) > 2147483647)
    reader.fail_at(header.line(count_key::atom_types), "number of atom types out of range (expected at most 2^31-1)");
}

}  // namespace

std::string_view keyword(count_key key) { return count_keywords[static_cast<std::size_t>(key)]; }

std::string read_lammps_header(line_reader& reader, lammps_header& header) {
  std::string_view data;
  if (!reader.next(data)) reader.fail_at(1, "the file is empty (expected a LAMMPS data file)");
  while (reader.next_data(data)) {
    auto name = joined_words(data);
    if (find_section(name) != nullptr) {
      check_complete(reader, header);
      return name;
    }
    read_header_line(reader, data, header);
  }
  check_complete(reader, header);
  return {};
}

}  // namespace upsweep::io::detail
