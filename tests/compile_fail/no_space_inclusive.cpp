// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/inclusive_scan.hpp>

void no_space_inclusive(snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::inclusive_scan(SNIPPET_SPACE in, out, upsweep::max<>{});
}
