// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// n offsets could be taken for flags: the View says what it is.
// Expected: segments are given by head_flags.flags. or segment_offsets.offsets.
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/segmented_scan.hpp>

void segments_unmarked(snippet::view<int*> in, snippet::view<int*> out, snippet::view<int*> flags) {
  upsweep::segmented_inclusive_scan(snippet::space(), in, RIGHT_OR_WRONG(upsweep::head_flags{flags}, flags), out);
}
