// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>

namespace upsweep::internal {

/// Sorts n elements by a bitonic network whose comparators all point up, so that what is missing to a power of two may
/// be thought of as infinite. compare(a, b) with a < b puts the element that comes first to place a and the other to
/// place b, with all that belongs to them, keys in one array and values in another for instance. `threads` threads call
/// this together, `rank` is the number of the one that calls; sync() makes them wait for each other and see what the
/// others have written.
/// Cost: about n log2(n)^2 / 4 comparisons, log2(n) (log2(n) + 1) / 2 times sync().
/// Source: K. E. Batcher, *Sorting networks and their applications* (1968).
template <class Compare, class Sync>
KOKKOS_FUNCTION void sort_by_network(std::int64_t n, int rank, int threads, Compare const& compare, Sync const& sync) {
  auto const step = [&](std::int64_t bits) {
    for (std::int64_t k = rank; k < n; k += threads) {
      std::int64_t const other = k ^ bits;
      if (other > k && other < n) compare(k, other);
    }
    sync();
  };
  for (std::int64_t size = 2; size < 2 * n; size *= 2) {
    step(size - 1);
    for (std::int64_t distance = size / 4; distance > 0; distance /= 2) step(distance);
  }
}

/// The comparator of numbers.
template <class T>
struct compare_values {
  T* values;
  KOKKOS_FUNCTION void operator()(std::int64_t a, std::int64_t b) const {
    if (values[b] < values[a]) Kokkos::kokkos_swap(values[a], values[b]);
  }
};

}  // namespace upsweep::internal
