// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void no_space(snippet::view<int*> in, snippet::view<int*> out) { upsweep::exclusive_scan(SNIPPET_SPACE in, out); }
