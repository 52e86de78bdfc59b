// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/printable.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace upsweep::io::detail {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes the first word off `rest`; empty when there is none.
inline std::string_view next_word(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && is_blank(rest[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && !is_blank(rest[end])) ++end;
  auto const word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

/// The words of a text with one blank between them.
inline std::string joined_words(std::string_view text) {
  std::string result;
  for (auto word = next_word(text); !word.empty(); word = next_word(text)) {
    if (!result.empty()) result += ' ';
    result += word;
  }
  return result;
}

enum class number_status { good, not_a_number, out_of_range };

/// Whether a decimal number is so small that only zero is near it, where std::from_chars says "out of range" alike for
/// too large and too small. `word` is a whole number that from_chars accepted.
inline bool is_tiny(std::string_view word) {
  constexpr std::int64_t huge = 1'000'000'000'000;  // far more digits than any word has
  std::int64_t exponent = 0;
  auto const e = word.find_first_of("eE");
  if (e != std::string_view::npos) {
    auto digits = word.substr(e + 1);
    bool const negative = digits.starts_with('-');
    if (negative || digits.starts_with('+')) digits.remove_prefix(1);
    auto const [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (code != std::errc{} || exponent > huge) exponent = huge;
    if (negative) exponent = -exponent;
  }
  auto mantissa = word.substr(0, e);
  if (mantissa.starts_with('-')) mantissa.remove_prefix(1);
  // The first digit that counts has the weight 10^(digits before the point that follow it).
  auto const first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  auto const point = std::min(mantissa.find('.'), mantissa.size());
  auto const weight = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - (first < point ? 1 : 0);
  return exponent + weight < 0;
}

/// The whole word as a number: decimal digits with a point whatever the locale is, an exponent, one sign. Not numbers:
/// 0,005, 0x10, 1d5, 5 m. Out of range: 1e999. Too small is zero: 1e-400. nan and inf are numbers here; callers that
/// need finite ones check. from_chars knows no leading '+', which files have.
template <class T>
number_status parse_number(std::string_view word, T& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  auto const [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code == std::errc::invalid_argument || end != word.data() + word.size()) return number_status::not_a_number;
  if (code == std::errc::result_out_of_range) {
    if constexpr (std::is_floating_point_v<T>) {
      if (is_tiny(word)) {
        value = word.starts_with('-') ? T(-0.0) : T(0);
        return number_status::good;
      }
    }
    return number_status::out_of_range;
  }
  return number_status::good;
}

}  // namespace upsweep::io::detail
