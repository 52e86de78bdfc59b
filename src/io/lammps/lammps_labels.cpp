// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "lammps_labels.hpp"

#include "../tokens.hpp"
#include "lammps_values.hpp"

namespace upsweep::io::detail {

void type_names::add(std::string_view data, line_reader const& reader) {
  auto rest = data;
  auto const type = read_integer<std::int32_t>(next_word(rest), what_, 1, types_, reader);
  auto const label = next_word(rest);
  double number = 0;
  if (label.empty() || !next_word(rest).empty() || parse_number(label, number) != number_status::not_a_number)
    reader.fail("label of " + std::string(what_) + " " + std::to_string(type) + ": " + quote(data) +
                " (expected a number and one word that is no number)");
  if (!labelled_.insert(type).second)
    reader.fail("a second label of " + std::string(what_) + " " + std::to_string(type) + " (expected one)");
  if (!labels_.emplace(label, type).second)
    reader.fail("label " + quote(label) + " given twice (expected other ones for other types)");
}

bool type_names::has(std::string_view word) const {
  std::int64_t value = 0;
  if (parse_number(word, value) == number_status::good) return value >= 1 && value <= types_;
  return labels_.contains(word);
}

std::int32_t type_names::read(std::string_view word, line_reader const& reader) const {
  auto const found = labels_.find(word);
  if (found != labels_.end()) return found->second;
  return read_integer<std::int32_t>(
      word, what_, 1, types_, reader,
      ("an integer, or a label of section '" + std::string(section_) + "' before").c_str());
}

}  // namespace upsweep::io::detail
