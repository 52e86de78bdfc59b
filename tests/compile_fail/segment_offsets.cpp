// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: offsets are a View of rank 1 of an integer type
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/segmented_scan.hpp>

void segment_offsets(snippet::view<int*> in, snippet::view<RIGHT_OR_WRONG(int*, float*)> offsets,
                     snippet::view<int*> out) {
  upsweep::segmented_inclusive_scan(snippet::space(), in, upsweep::segment_offsets{offsets}, out);
}
