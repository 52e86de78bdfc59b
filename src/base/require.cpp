// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>

#include <cstdint>
#include <string>

namespace upsweep::internal {

void throw_precondition(char const* function, std::string const& message) {
  throw precondition_error(std::string(function) + ": " + message);
}

void throw_negative(char const* function, char const* name, std::size_t size) {
  throw precondition_error(std::string(function) + ": " + name + " = " +
                           std::to_string(static_cast<std::int64_t>(size)) + " is negative");
}

void throw_other_extent(char const* function, char const* name, std::size_t extent, char const* other_name,
                        std::size_t other_extent) {
  throw precondition_error(std::string(function) + ": " + name + " has " + std::to_string(extent) + " elements, " +
                           other_name + " has " + std::to_string(other_extent));
}

}  // namespace upsweep::internal
