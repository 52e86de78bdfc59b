// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: a View in this place says what it is
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/inclusive_scan.hpp>

void total_unmarked_view(snippet::view<int*> in, snippet::view<int*> out, snippet::view<int> total) {
  upsweep::inclusive_scan(snippet::space(), in, out, RIGHT_OR_WRONG(upsweep::into{total}, total), 0, upsweep::plus<>{});
}
