// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <cstddef>
#include <cstdint>

namespace clusters {

/// Sets of points that threads unite, all at once. Each set is a tree whose root is its smallest member.
///
/// Shared state: parents, by atomics without order: a parent is a smaller member of the same set whenever it is read,
/// so that any value that was ever there leads to the root. Progress: a thread tries again only where another one has
/// just hooked the root that it wanted to hook.
struct disjoint_sets {
  indices parent;

  static disjoint_sets make(space_type const& space, std::size_t n) {
    disjoint_sets const sets{clusters::make<indices>(space, "parent", n)};
    Kokkos::parallel_for("upsweep-clusters::sets::init", points_range(space, n), init{sets.parent});
    return sets;
  }

  /// The root of the set that i is in. Makes the way there shorter: each point on it gets its grandparent as parent.
  KOKKOS_FUNCTION int find(int i) const {
    int p = Kokkos::atomic_load(&parent(i));
    while (p != i) {
      int const above = Kokkos::atomic_load(&parent(p));
      if (above == p) return p;
      Kokkos::atomic_store(&parent(i), above);
      i = above;
      p = Kokkos::atomic_load(&parent(i));
    }
    return i;
  }

  /// Unites the sets of i and j. Returns the root that is none any more, or -1 where they were one set.
  KOKKOS_FUNCTION int unite(int i, int j) const {
    for (;;) {
      i = find(i);
      j = find(j);
      if (i == j) return -1;
      if (i < j) Kokkos::kokkos_swap(i, j);
      if (Kokkos::atomic_compare_exchange(&parent(i), i, j) == i) return i;
    }
  }

  struct init {
    indices parent;
    KOKKOS_FUNCTION void operator()(std::int64_t i) const { parent(i) = static_cast<int>(i); }
  };
};

}  // namespace clusters
