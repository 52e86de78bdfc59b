// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/index.hpp>

#include <limits>

namespace upsweep::internal {

void throw_too_wide(std::string const& value, std::size_t bits, char const* function, char const* quantity) {
  throw overflow_error(std::string(function) + ": " + quantity + " = " + value + " does not fit in " +
                       std::to_string(bits) + " bits");
}

std::size_t checked_multiply(std::size_t a, std::size_t b, char const* function, char const* quantity) {
  if (b != 0 && a > std::numeric_limits<std::size_t>::max() / b)
    throw overflow_error(std::string(function) + ": " + quantity + " = " + std::to_string(a) + " * " +
                         std::to_string(b) + " does not fit in 64 bits");
  return a * b;
}

}  // namespace upsweep::internal
