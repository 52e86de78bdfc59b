// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What elements are chosen of, and by.

#include "../pack/moving.hpp"
#include "array.hpp"

namespace differential {

/// Keys from 0 to 999, and a bound that chooses none, few, half, most or all of them.
template <class T>
std::vector<T> keyed(trial& t, std::size_t n) {
  return moving::values<T>(n, 0, 999, static_cast<unsigned>(t.random()()));
}
inline std::int64_t bound(trial& t) {
  std::int64_t const bounds[] = {0, 1, 10, 500, 990, 999, 1000};
  auto const b = bounds[t.below(7)];
  t.note("bound", b);
  return b;
}

inline Kokkos::View<std::uint64_t, oracle::memory> device_count() {
  Kokkos::View<std::uint64_t, oracle::memory> const count("count");
  Kokkos::deep_copy(count, ~std::uint64_t(0));
  return count;
}

}  // namespace differential
