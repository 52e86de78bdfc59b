// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/segmented_scan.hpp>

void no_space_segmented(snippet::view<int*> in, snippet::view<int*> out, snippet::view<int*> flags) {
  upsweep::segmented_inclusive_scan(SNIPPET_SPACE in, upsweep::head_flags{flags}, out);
}
