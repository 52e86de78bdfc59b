// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: a floating-point initial value would be cut to the monoid's integer value_type
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void init_narrowing(snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::exclusive_scan(snippet::space(), in, out, RIGHT_OR_WRONG(2, 2.9), upsweep::plus<>{});
}
