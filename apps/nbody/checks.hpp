// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>

#include <string>
#include <utility>

namespace nbody {

/// The value as a narrower integer, or overflow_error: narrow<int>(rows, "write_list", "rows").
template <class To, class From>
To narrow(From value, char const* function, char const* quantity) {
  if (!std::in_range<To>(value))
    throw upsweep::overflow_error(std::string(function) + ": " + quantity + " = " + std::to_string(value) +
                                  " does not fit in " + std::to_string(8 * sizeof(To)) + " bits");
  return static_cast<To>(value);
}

}  // namespace nbody
