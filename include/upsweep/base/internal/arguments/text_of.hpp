// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>

namespace upsweep::internal {

/// A number as messages say it: with the fewest digits that no other number of its type has, however small or large it
/// is. text_of(1e-9) is "1e-09", text_of(0.1f) is "0.1". (std::to_string has six digits behind the point: 0.000000.)
template <std::floating_point Number>
std::string text_of(Number number) {
  char text[64];
  auto const result = std::to_chars(text, text + sizeof(text), number, std::chars_format::general);
  return {text, result.ptr};
}
template <std::integral Number>
std::string text_of(Number number) {
  return std::to_string(number);
}

/// The same with six digits at most, for what was computed and is rounded behind them.
template <std::floating_point Number>
std::string text_of_measured(Number number) {
  char text[64];
  auto const result = std::to_chars(text, text + sizeof(text), number, std::chars_format::general, 6);
  return {text, result.ptr};
}

/// "particle 17 at (nan, 1, 2)".
template <class Vector>
std::string text_of_particle(std::int64_t i, Vector const& x) {
  return "particle " + text_of(i) + " at (" + text_of(x[0]) + ", " + text_of(x[1]) + ", " + text_of(x[2]) + ")";
}

}  // namespace upsweep::internal
