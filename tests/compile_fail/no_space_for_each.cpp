// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan_for_each.hpp>

namespace no_space_for_each_snippet {
struct functor {
  KOKKOS_FUNCTION void operator()(std::size_t, int, int) const {}
};
}  // namespace no_space_for_each_snippet

void no_space_for_each(snippet::view<int*> in) {
  upsweep::exclusive_scan_for_each(SNIPPET_SPACE in, no_space_for_each_snippet::functor{});
}
