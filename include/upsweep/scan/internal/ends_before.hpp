// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>

namespace upsweep::internal {

/// Elements of segments and the segments' ends are one sequence, each end behind its segment's elements: blocks of it
/// are equal work, however long segments are. How many ends are among the first `count` of it. offset(s) is where
/// segment s begins. Wrong offsets give any number up to `segments`.
template <class Offset>
KOKKOS_FUNCTION std::size_t ends_before(Offset const& offset, std::size_t segments, std::size_t count) {
  std::size_t low = 0, high = Kokkos::min(count, segments);
  while (low < high) {
    std::size_t const middle = low + (high - low) / 2;
    if (offset(middle + 1) + middle < count) low = middle + 1;
    else high = middle;
  }
  return low;
}

}  // namespace upsweep::internal
