// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the initial value does not convert to the monoid's value_type
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void pointer_as_init(snippet::view<bool*> in, snippet::view<bool*> out) {
  bool total = false;
  upsweep::exclusive_scan(snippet::space(), in, out, RIGHT_OR_WRONG(upsweep::into{total}, &total),
                          upsweep::logical_or<>{});
}
