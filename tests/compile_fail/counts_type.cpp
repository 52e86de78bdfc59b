// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: counts is a View of rank 1 or a functor, of an integer type
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>

void counts_type(snippet::view<RIGHT_OR_WRONG(int*, float*)> counts, snippet::view<std::size_t*> offsets) {
  upsweep::counts_to_offsets(snippet::space(), counts, offsets);
}
