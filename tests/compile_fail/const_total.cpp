// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: upsweep::into: a total goes to a View of rank 0 that can be assigned
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void const_total(snippet::view<int*> in, snippet::view<int*> out, snippet::view<int RIGHT_OR_WRONG(, const)> total) {
  upsweep::exclusive_scan(snippet::space(), in, out, upsweep::into{total});
}
