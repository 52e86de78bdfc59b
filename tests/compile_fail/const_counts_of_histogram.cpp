// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the output is a View of rank 1 with elements that can be assigned

#include "snippet.hpp"

#include <upsweep/pack/histogram.hpp>

void const_counts_of_histogram(snippet::view<int*> in, snippet::view<RIGHT_OR_WRONG(int*, int const*)> counts) {
  upsweep::histogram(snippet::space(), in, counts);
}
