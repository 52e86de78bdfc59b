// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/reduce.hpp>

void no_space_reduce(snippet::view<int*> in) { upsweep::reduce(SNIPPET_SPACE in); }
