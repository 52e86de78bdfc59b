// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: counts go to a View of std::size_t

#include "snippet.hpp"

#include <upsweep/pack/compact.hpp>

struct positive_with_count {
  KOKKOS_FUNCTION bool operator()(int x) const { return x > 0; }
};
void count_of_compact(snippet::view<int*> in, snippet::view<int*> out,
                      snippet::view<RIGHT_OR_WRONG(std::uint64_t, int)> count) {
  upsweep::compact(snippet::space(), in, out, count, positive_with_count{});
}
