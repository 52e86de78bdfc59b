// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "pair_coefficients.hpp"

#include "../../support/options/read_number.hpp"
#include "../text.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/printable.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace nbody {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (auto const word : apps::split(line.substr(0, line.find('#')), ' '))
    if (!word.empty()) words.push_back(word);
  return words;
}

pair_coefficient read_line(std::string const& place, std::vector<std::string_view> const& words) {
  auto const refuse = [&](std::string const& what) { throw upsweep::input_error(place + ": " + what); };
  if (words.size() != 4 && words.size() != 5)
    refuse(std::to_string(words.size()) + " words (expected type type epsilon sigma [cutoff])");
  auto const type = [&](std::string_view word) {
    auto const number = apps::read_number<std::int32_t>(word);
    if (!number || *number < 1 || *number > largest_type)
      refuse(upsweep::quote(word) + " for a type (expected an integer from 1 to 1000)");
    return number.value_or(1);
  };
  auto const positive = [&](std::string_view word, char const* name) {
    auto const number = apps::read_number<double>(word);
    if (!number || !(*number > 0))
      refuse(upsweep::quote(word) + " for " + name + " (expected a finite number above 0)");
    return number.value_or(1);
  };
  pair_coefficient c;
  c.first = type(words[0]);
  c.second = type(words[1]);
  if (c.first > c.second) std::swap(c.first, c.second);
  c.epsilon = positive(words[2], "epsilon");
  c.sigma = positive(words[3], "sigma");
  if (words.size() == 5) c.cutoff = positive(words[4], "the cutoff");
  return c;
}

}  // namespace

std::vector<pair_coefficient> read_coefficients(std::string const& name, std::string_view text) {
  std::vector<pair_coefficient> all;
  std::size_t line = 0;
  for (auto row : apps::split(text, '\n')) {
    ++line;
    std::string plain(row);
    std::replace_if(plain.begin(), plain.end(), [](char c) { return c == '\t' || c == '\r'; }, ' ');
    auto const words = words_of(plain);
    if (words.empty()) continue;
    auto const place = name + ":" + std::to_string(line);
    auto const c = read_line(place, words);
    if (std::any_of(all.begin(), all.end(),
                    [&](auto const& other) { return other.first == c.first && other.second == c.second; }))
      throw upsweep::input_error(place + ": types " + std::to_string(c.first) + " and " + std::to_string(c.second) +
                                 " for the second time (expected each pair once)");
    all.push_back(c);
  }
  if (all.empty()) throw upsweep::input_error(name + ": no coefficients (expected type type epsilon sigma [cutoff])");
  return all;
}

std::int32_t types_of(std::vector<pair_coefficient> const& given) {
  std::int32_t types = 0;
  for (auto const& c : given) types = std::max(types, c.second);
  return types;
}

void require_complete(std::string const& name, std::vector<pair_coefficient> const& given, double cutoff) {
  std::vector<bool> seen(static_cast<std::size_t>(types_of(given)), false);
  for (auto const& c : given) {
    if (c.first == c.second) seen[static_cast<std::size_t>(c.first - 1)] = true;
    if (c.cutoff > cutoff)
      throw upsweep::input_error(name + ": types " + std::to_string(c.first) + " and " + std::to_string(c.second) +
                                 " have the cutoff " + text("%g", c.cutoff) + " (expected at most that of --cutoff, " +
                                 text("%g", cutoff) + ")");
  }
  auto const missing = std::find(seen.begin(), seen.end(), false);
  if (missing != seen.end()) {
    auto const type = std::to_string(missing - seen.begin() + 1);
    throw upsweep::input_error(name + ": nothing for type " + type + " (expected a line " + type + " " + type +
                               " epsilon sigma)");
  }
}

std::vector<pair_coefficient> all_pairs(std::vector<pair_coefficient> const& given, double cutoff) {
  auto const types = types_of(given);
  auto const at = [&](std::int32_t a, std::int32_t b) {
    return static_cast<std::size_t>(a - 1) * static_cast<std::size_t>(types) + static_cast<std::size_t>(b - 1);
  };
  std::vector<pair_coefficient> all(static_cast<std::size_t>(types) * static_cast<std::size_t>(types));
  for (auto const& c : given)
    if (c.first == c.second) all[at(c.first, c.first)] = c;
  for (std::int32_t a = 1; a <= types; ++a)
    for (std::int32_t b = 1; b <= types; ++b) {
      if (a == b) continue;
      auto const &of_a = all[at(a, a)], &of_b = all[at(b, b)];
      all[at(a, b)] = {std::min(a, b), std::max(a, b), std::sqrt(of_a.epsilon * of_b.epsilon),
                       (of_a.sigma + of_b.sigma) / 2, 0};
    }
  for (auto const& c : given) all[at(c.first, c.second)] = all[at(c.second, c.first)] = c;
  for (auto& c : all)
    if (c.cutoff == 0) c.cutoff = cutoff;
  return all;
}

}  // namespace nbody
