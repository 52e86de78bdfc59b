// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../line_reader.hpp"
#include "../tokens.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace upsweep::io::detail {

/// Words of a data line as numbers. `what` names the number in messages: "atom id".
template <class Integer>
Integer read_integer(std::string_view word, char const* what, std::int64_t least, std::int64_t largest,
                     line_reader const& reader, char const* expected = "an integer") {
  std::int64_t value = 0;
  auto const status = parse_number(word, value);
  if (status == number_status::not_a_number)
    reader.fail(std::string(what) + " is " + quote(word) + " (expected " + expected + ")");
  if (status == number_status::out_of_range || value < least || value > largest)
    reader.fail(std::string(what) + " " + quote(word) + " out of range (expected " + std::to_string(least) + " to " +
                std::to_string(largest) + ")");
  return static_cast<Integer>(value);
}

template <class Integer>
Integer read_integer(std::string_view word, char const* what, line_reader const& reader) {
  return read_integer<Integer>(word, what, std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max(),
                               reader);
}

inline double read_real(std::string_view word, char const* what, line_reader const& reader) {
  double value = 0;
  auto const status = parse_number(word, value);
  if (status == number_status::not_a_number)
    reader.fail(std::string(what) + " is " + quote(word) + " (expected a number)");
  if (status == number_status::out_of_range || !std::isfinite(value))
    reader.fail(std::string(what) + " is " + quote(word) + " (expected a finite number)");
  return value;
}

inline std::int64_t read_id(std::string_view word, line_reader const& reader) {
  return read_integer<std::int64_t>(word, "atom id", 1, std::numeric_limits<std::int64_t>::max(), reader);
}

}  // namespace upsweep::io::detail
