// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: segments are given by head_flags.flags. or segment_offsets.offsets.
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/segmented_reduce.hpp>

void segments_unmarked_in_reduce(snippet::view<int*> in, snippet::view<int*> out, snippet::view<int*> offsets) {
  upsweep::segmented_reduce(snippet::space(), in, RIGHT_OR_WRONG(upsweep::segment_offsets{offsets}, offsets), out);
}
