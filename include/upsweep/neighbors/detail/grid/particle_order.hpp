// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// Orders particles by (id, image), ids being indices where there are none.
struct particle_order {
  std::int64_t const* ids;
  image const* images;

  KOKKOS_FUNCTION bool operator()(int a, int b) const {
    if (ids != nullptr) {
      if (ids[a] != ids[b]) return ids[a] < ids[b];
      if (images != nullptr && !(images[a] == images[b])) return images[a] < images[b];
    }
    return a < b;
  }
};

/// Sorts n elements that `swap(a, b)` and `before(a, b)` know by their numbers: insertion for a few, else heap sort, so
/// that a dense cell costs n log n and no memory. One thread.
template <class Before, class Swap>
KOKKOS_FUNCTION void sort_in_place(int n, Before const& before, Swap const& swap) {
  if (n <= 32) {
    for (int k = 1; k < n; ++k)
      for (int at = k; at > 0 && before(at, at - 1); --at) swap(at, at - 1);
    return;
  }
  auto const sift_down = [&](int root, int size) {
    for (std::int64_t child = 2 * std::int64_t(root) + 1; child < size; child = 2 * std::int64_t(root) + 1) {
      int c = static_cast<int>(child);
      if (c + 1 < size && before(c, c + 1)) ++c;
      if (!before(root, c)) break;
      swap(root, c);
      root = c;
    }
  };
  for (int root = n / 2 - 1; root >= 0; --root) sift_down(root, n);
  for (int last = n - 1; last > 0; --last) {
    swap(0, last);
    sift_down(0, last);
  }
}

}  // namespace upsweep::neighbors::detail
