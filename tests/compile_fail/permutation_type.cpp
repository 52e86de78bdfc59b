// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: permutation is a contiguous View of an integer type that can be assigned

#include "snippet.hpp"

#include <upsweep/pack/sort_permutation.hpp>

void permutation_type(snippet::view<int*> keys, snippet::view<RIGHT_OR_WRONG(int*, float*)> permutation) {
  upsweep::sort_permutation(snippet::space(), keys, permutation);
}
