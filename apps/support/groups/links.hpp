// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What friends of friends do with pairs and sets, on one rank and on several.

#include "disjoint_sets.hpp"
#include "types.hpp"

#include <cstdint>

namespace clusters {

/// Pairs of owned points come from both ends, those with a ghost from the owned one.
struct link_pair {
  disjoint_sets sets;
  int owned;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    if (j < i || j >= owned) sets.unite(i, j);
  }
};

/// Gives each point what its root has.
struct label_by_root {
  disjoint_sets sets;
  numbers of_root, label;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { label(i) = of_root(sets.find(static_cast<int>(i))); }
};

}  // namespace clusters
