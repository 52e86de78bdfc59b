// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "lammps_style.hpp"

#include "tokens.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace upsweep::io_detail {
namespace {

constexpr atom_style styles[] = {
    // name, columns, type, x, columns of Velocities
    {"atomic", 5, 1, 2, 4},    {"charge", 6, 1, 3, 4},    {"molecular", 6, 2, 3, 4},  {"bond", 6, 2, 3, 4},
    {"angle", 6, 2, 3, 4},     {"full", 7, 2, 4, 4},      {"amoeba", 7, 2, 4, 4},     {"sphere", 7, 1, 4, 7},
    {"ellipsoid", 7, 1, 4, 7}, {"dipole", 9, 1, 3, 4},    {"dpd", 6, 1, 3, 4},        {"mdpd", 6, 1, 3, 4},
    {"edpd", 7, 1, 4, 4},      {"electron", 8, 1, 5, 5},  {"line", 8, 2, 5, 7},       {"tri", 8, 2, 5, 7},
    {"peri", 7, 1, 4, 4},      {"template", 8, 1, 5, 4},  {"spin", 9, 1, 2, 4},       {"sph", 8, 1, 5, 4},
    {"oxdna", 5, 1, 2, 4},     {"wavepacket", 11, 1, 8, 6}, {"bpm/sphere", 8, 2, 5, 7},
};

constexpr std::array<std::string_view, 6> unplaced{"hybrid", "body", "tdpd", "smd", "dielectric", "rheo"};

bool is_integer(std::string_view word) {
  std::int64_t value = 0;
  return parse_number(word, value) == number_status::good;
}

bool is_type(std::string_view word, std::int64_t types) {
  std::int64_t value = 0;
  return parse_number(word, value) == number_status::good && value >= 1 && value <= types;
}

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

}  // namespace

atom_style const* style_from_hint(std::string_view hint, line_reader const& reader) {
  auto const name = next_word(hint);
  if (std::find(unplaced.begin(), unplaced.end(), name) != unplaced.end())
    reader.fail("atom style '" + std::string(name) + "' is not supported yet (expected atomic, charge, molecular, full, sphere "
                "or another style with fixed columns)");
  auto const* const found =
      std::find_if(std::begin(styles), std::end(styles), [&](atom_style const& s) { return s.name == name; });
  return found == std::end(styles) ? nullptr : found;
}

atom_style const& style_from_columns(std::vector<std::string_view> const& words, std::int64_t types, line_reader const& reader) {
  constexpr std::array<std::string_view, 5> common{"atomic", "charge", "molecular", "full", "sphere"};
  atom_style const* chosen = nullptr;
  std::string fitting;
  int fit_count = 0;
  for (auto const& style : styles) {
    if (std::find(common.begin(), common.end(), style.name) == common.end() || !fits(style, words, types)) continue;
    chosen = &style;
    ++fit_count;
    fitting += (fitting.empty() ? "" : " and ") + std::string(style.name);
  }
  auto const columns = std::to_string(words.size()) + " columns";
  if (fit_count == 0)
    reader.fail("this atom's " + columns + " fit none of the styles atomic, charge, molecular, full and sphere (expected the "
                "style behind the section's name, such as 'Atoms # full')");
  if (fit_count > 1)
    reader.fail("this atom's " + columns + " fit the styles " + fitting + " (expected the style behind the section's name, such as "
                "'Atoms # charge')");
  return *chosen;
}

}  // namespace upsweep::io_detail
