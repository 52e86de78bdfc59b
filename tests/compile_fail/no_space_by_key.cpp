// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/scan_by_key.hpp>

void no_space_by_key(snippet::view<int*> keys, snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::inclusive_scan_by_key(SNIPPET_SPACE keys, in, out);
}
