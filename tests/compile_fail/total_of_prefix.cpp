// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: a total has the output.s value type; where a functor takes the results, that of the prefix
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/inclusive_scan_for_each.hpp>

namespace total_of_prefix_snippet {
struct functor {
  KOKKOS_FUNCTION void operator()(std::size_t, std::int64_t, int) const {}
};
}  // namespace total_of_prefix_snippet

void total_of_prefix(snippet::view<int*> in) {
  RIGHT_OR_WRONG(std::int64_t, int) total = 0;
  upsweep::inclusive_scan_for_each<std::int64_t>(snippet::space(), in, total_of_prefix_snippet::functor{},
                                                 upsweep::into{total});
}
