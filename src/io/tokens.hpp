// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace upsweep::io_detail {

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

/// A piece of a file as it can be shown in a message: short, in quotes, without control characters.
inline std::string quoted(std::string_view text) {
  std::string result = "'";
  for (char const c : text.substr(0, 40)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > 40 ? "...'" : "'");
}

enum class number_status { good, not_a_number, out_of_range };

/// The whole word as a number; from_chars knows no leading '+', which files have.
template <class T>
number_status parse_number(std::string_view word, T& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  auto const [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code == std::errc::invalid_argument || end != word.data() + word.size()) return number_status::not_a_number;
  if (code == std::errc::result_out_of_range) {
    if constexpr (std::is_floating_point_v<T>) {
      // Too small is not too large: 1e-400 is as good as zero.
      value = static_cast<T>(std::strtod(std::string(word).c_str(), nullptr));
      if (std::abs(value) < T(1)) return number_status::good;
    }
    return number_status::out_of_range;
  }
  return number_status::good;
}

}  // namespace upsweep::io_detail
