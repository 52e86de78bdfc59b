// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: behind the offsets stand into.total., with a variable of std::size_t
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>

void count_total_type(snippet::view<int*> counts, snippet::view<int*> offsets) {
  RIGHT_OR_WRONG(std::size_t, int) total = 0;
  upsweep::counts_to_offsets(snippet::space(), counts, offsets, upsweep::into{total});
}
