// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace apps {

/// The number that the whole word spells in plain decimal: "10" and "010" are 10, "1e-3" is 0.001 where Number is
/// floating point. Nothing else is a number: no other base, plus sign, blank, thousands separator, nan, inf or value
/// that does not fit.
template <class Number>
std::optional<Number> read_number(std::string_view word) {
  Number value{};
  auto const [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  return value;
}

/// The shortest decimal that read_number reads back as the same value.
template <class Number>
std::string plain(Number value) {
  std::array<char, 32> text{};
  auto const [end, code] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

/// The parts of a text between separators; one more than there are separators, and empty ones count.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    auto const at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

}  // namespace apps
