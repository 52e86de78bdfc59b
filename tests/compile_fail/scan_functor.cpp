// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the functor of a scan is called with an index
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan_for_each.hpp>

namespace scan_functor_snippet {
struct functor {
  KOKKOS_FUNCTION void operator()(std::size_t, RIGHT_OR_WRONG(int, int*), int) const {}
};
}  // namespace scan_functor_snippet

void scan_functor(snippet::view<int*> in) {
  upsweep::exclusive_scan_for_each(snippet::space(), in, scan_functor_snippet::functor{});
}
