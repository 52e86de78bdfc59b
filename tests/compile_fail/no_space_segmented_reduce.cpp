// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/segmented_reduce.hpp>

void no_space_segmented_reduce(snippet::view<int*> in, snippet::view<int*> out, snippet::view<int*> offsets) {
  upsweep::segmented_reduce(SNIPPET_SPACE in, upsweep::segment_offsets{offsets}, out);
}
