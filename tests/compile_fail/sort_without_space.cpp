// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance

#include "snippet.hpp"

#include <upsweep/pack/sort.hpp>

void sort_without_space(snippet::view<int*> keys) {
  upsweep::sort(RIGHT_OR_WRONG(snippet::space(), snippet::space::memory_space()), keys);
}
