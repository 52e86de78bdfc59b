// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What elements are chosen of, and by.

#include "../pack/moving.hpp"
#include "array.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

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

/// Elements of which some are chosen by their keys, and how they are.
template <class T>
struct keyed_case {
  std::vector<T> values;
  moving::less<T> chosen;
  std::size_t way;  ///< 0 to 3: forms of the call, or of its Views
  upsweep::call_options options;

  explicit keyed_case(trial& t)
      : values(keyed<T>(t, t.size(std::size_t(1) << 20))),
        chosen{bound(t)},
        way(t.below(4)),
        options(t.default_options()) {
    t.note("way", way);
  }

  std::vector<T> chosen_values() const {
    std::vector<T> all;
    std::copy_if(values.begin(), values.end(), std::back_inserter(all), chosen);
    return all;
  }
};

inline Kokkos::View<std::size_t, oracle::memory> device_count() {
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  Kokkos::deep_copy(count, ~std::uint64_t(0));
  return count;
}

}  // namespace differential
