// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>

namespace upsweep::internal {

// Messages are made in the library: calls test, and few of them fail.

/// Throws precondition_error: "input has 3 elements, output has 4".
[[noreturn]] void throw_other_extent(char const* function, char const* name, std::size_t extent, char const* other_name,
                                     std::size_t other_extent);

/// Refuses two Views of which one is longer than the other.
inline void require_same_extent(std::size_t extent, std::size_t other_extent, char const* function, char const* name,
                                char const* other_name = "output") {
  if (extent != other_extent) throw_other_extent(function, name, extent, other_name, other_extent);
}

}  // namespace upsweep::internal
