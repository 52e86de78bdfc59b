// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: counts go to a View of std::size_t

#include "snippet.hpp"

#include <upsweep/pack/partition.hpp>

struct positive_with_counts {
  KOKKOS_FUNCTION bool operator()(int x) const { return x > 0; }
};
void counts_of_partition(snippet::view<int*> in, snippet::view<int*> out,
                         snippet::view<RIGHT_OR_WRONG(std::uint64_t*, int*)> counts) {
  upsweep::partition(snippet::space(), in, out, counts, positive_with_counts{});
}
