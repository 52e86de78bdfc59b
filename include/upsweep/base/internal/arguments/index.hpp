// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace upsweep::internal {

/// Throws overflow_error for a number, as text, that does not fit in so many bits.
[[noreturn]] void throw_too_wide(std::string const& value, std::size_t bits, char const* function,
                                 char const* quantity);

/// Converts an integer to a narrower type, or throws overflow_error naming function, quantity and value.
/// narrow<int>(std::size_t(7), "f", "rows") is 7.
template <class To, class From>
To narrow(From value, char const* function, char const* quantity) {
  if (!std::in_range<To>(value)) throw_too_wide(std::to_string(value), 8 * sizeof(To), function, quantity);
  return static_cast<To>(value);
}

/// a * b, or overflow_error: for byte counts, before memory is asked for.
std::size_t checked_multiply(std::size_t a, std::size_t b, char const* function, char const* quantity);

/// ceil(a / b) without overflow. Pre: b > 0.
template <class Integer>
KOKKOS_FUNCTION constexpr Integer divide_up(Integer a, Integer b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace upsweep::internal
