// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace upsweep::internal {

/// Converts an integer to a narrower type, or throws overflow_error naming function, quantity and value.
/// narrow<int>(std::size_t(7), "f", "rows") is 7.
template <class To, class From>
To narrow(From value, char const* function, char const* quantity) {
  if (!std::in_range<To>(value))
    throw overflow_error(std::string(function) + ": " + quantity + " = " + std::to_string(value) + " does not fit in " +
                         std::to_string(8 * sizeof(To)) + " bits");
  return static_cast<To>(value);
}

/// a * b, or overflow_error: for byte counts, before memory is asked for.
inline std::size_t checked_multiply(std::size_t a, std::size_t b, char const* function, char const* quantity) {
  if (b != 0 && a > std::numeric_limits<std::size_t>::max() / b)
    throw overflow_error(std::string(function) + ": " + quantity + " = " + std::to_string(a) + " * " +
                         std::to_string(b) + " does not fit in 64 bits");
  return a * b;
}

/// ceil(a / b) without overflow. Pre: b > 0.
template <class Integer>
KOKKOS_FUNCTION constexpr Integer divide_up(Integer a, Integer b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace upsweep::internal
