// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: behind the offsets stand into.total., with a variable of std::size_t
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>

void count_total_unmarked(snippet::view<int*> counts, snippet::view<int*> offsets) {
  std::size_t total = 0;
  upsweep::counts_to_offsets(snippet::space(), counts, offsets, RIGHT_OR_WRONG(upsweep::into{total}, total));
}
