// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: an initial value on the device is a View of rank 0
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void init_rank(snippet::view<int*> in, snippet::view<int*> out, snippet::view<int RIGHT_OR_WRONG(, *)> init) {
  upsweep::exclusive_scan(snippet::space(), in, out, upsweep::from{init}, upsweep::plus<>{});
}
