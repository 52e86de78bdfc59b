// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A mask would gather rows 0 and 1.
// Expected: a permutation is a View of an integer type, and not of bool
// Lines: 60

#include "snippet.hpp"

#include <upsweep/pack/permute.hpp>

void permutation_of_bools(snippet::view<RIGHT_OR_WRONG(int*, bool*)> permutation, snippet::view<double*> in,
                          snippet::view<double*> out) {
  upsweep::permute(snippet::space(), permutation, in, out);
}
