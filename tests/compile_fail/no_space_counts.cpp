// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>

void no_space_counts(snippet::view<int*> counts, snippet::view<int*> offsets) {
  upsweep::counts_to_offsets(SNIPPET_SPACE counts, offsets);
}
