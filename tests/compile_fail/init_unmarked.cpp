// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A View alone could be the total or the initial value.
// Expected: a View in this place says what it is
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void init_unmarked(snippet::view<int*> in, snippet::view<int*> out, snippet::view<int> init) {
  upsweep::exclusive_scan(snippet::space(), in, out, RIGHT_OR_WRONG(upsweep::from{init}, init));
}
