// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A lambda without captures converts to bool, whatever it takes.
// Expected: for numbers it is a number
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void init_of_lambda(snippet::view<bool*> in, snippet::view<bool*> out) {
  upsweep::exclusive_scan(snippet::space(), in, out, RIGHT_OR_WRONG(true, [](int) { return 3; }),
                          upsweep::logical_or<>{});
}
