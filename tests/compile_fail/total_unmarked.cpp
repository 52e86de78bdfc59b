// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A variable alone is an initial value, and two of them are one too many.
// Expected: behind the output stand, each at most once and in this order, into.total.
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void total_unmarked(snippet::view<int*> in, snippet::view<int*> out) {
  int total = 0;
  upsweep::exclusive_scan(snippet::space(), in, out, RIGHT_OR_WRONG(upsweep::into{total}, total), 0, upsweep::plus<>{});
}
