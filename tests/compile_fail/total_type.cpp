// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: a total has the output's value type
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void total_type(snippet::view<int*> in, snippet::view<int*> out, snippet::view<RIGHT_OR_WRONG(int, long)> total) {
  upsweep::exclusive_scan(snippet::space(), in, out, upsweep::into{total}, 0, upsweep::plus<>{});
}
