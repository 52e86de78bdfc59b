// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "xyz_columns.hpp"

#include "tokens.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace upsweep::io::detail {
namespace {

struct known_column {
  std::string_view name;
  char type;
  std::size_t width;
  xyz_column::kind what;
};
constexpr std::array<known_column, 10> known{{{"species", 'S', 1, xyz_column::species},
                                              {"pos", 'R', 3, xyz_column::position},
                                              {"velo", 'R', 3, xyz_column::velocity},
                                              {"vel", 'R', 3, xyz_column::velocity},
                                              {"velocities", 'R', 3, xyz_column::velocity},
                                              {"mass", 'R', 1, xyz_column::mass},
                                              {"masses", 'R', 1, xyz_column::mass},
                                              {"type", 'I', 1, xyz_column::type},
                                              {"id", 'I', 1, xyz_column::id},
                                              {"map_shift", 'I', 3, xyz_column::edges}}};

constexpr std::size_t most_columns = 1000;

std::string_view take(std::string_view& rest) {
  auto const word = rest.substr(0, rest.find(':'));
  rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  return word;
}

}  // namespace

xyz_columns::xyz_columns(std::string_view properties, line_reader const& reader) {
  auto const refuse = [&](std::string const& expected) {
    reader.fail("Properties " + quote(properties) + " (expected " + expected + ")");
  };
  auto rest = properties;
  while (!rest.empty()) {
    auto const name = take(rest), type = take(rest), columns = take(rest);
    std::size_t width = 0;
    if (name.empty() || type.size() != 1 || std::string_view("SRIL").find(type[0]) == std::string_view::npos ||
        parse_number(columns, width) != number_status::good || width < 1 || width > most_columns - width_)
      refuse("name:type:columns:..., at most 1000 columns, of types S, R, I or L");
    auto const found = std::find_if(known.begin(), known.end(), [&](auto const& k) { return k.name == name; });
    auto what = xyz_column::skipped;
    if (found != known.end()) {
      if (type[0] != found->type || width != found->width)
        refuse(std::string(name) + ":" + found->type + ":" + std::to_string(found->width));
      what = found->what;
      if (have(what)) refuse(std::string(name) + " once");
    }
    if (what == xyz_column::skipped) skipped_.emplace_back(name);
    all_.push_back({what, width});
    width_ += width;
  }
  if (!have(xyz_column::position)) refuse("pos:R:3 among them");
}

bool xyz_columns::have(xyz_column::kind what) const {
  return std::any_of(all_.begin(), all_.end(), [&](auto const& c) { return c.what == what; });
}

}  // namespace upsweep::io::detail
