// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the input of a scan is a View of rank 1 or a functor of the index
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void rank_2_input(snippet::view<int RIGHT_OR_WRONG(*, **)> in, snippet::view<int*> out) {
  upsweep::exclusive_scan(snippet::space(), in, out);
}
