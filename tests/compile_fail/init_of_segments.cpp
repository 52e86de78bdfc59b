// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: an argument behind the output is no monoid, and this call takes no initial value
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/segmented_scan.hpp>

void init_of_segments(snippet::view<int*> in, snippet::view<int*> out, snippet::view<int*> flags) {
  upsweep::segmented_inclusive_scan(snippet::space(), in, upsweep::head_flags{flags}, out,
                                    RIGHT_OR_WRONG(upsweep::plus<>{}, 0));
}
