// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: upsweep::counts_to_offsets: offsets is a View of rank 1 of an integer type that can be assigned
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>

void const_offsets(snippet::view<int*> counts, snippet::view<RIGHT_OR_WRONG(int*, int const*)> offsets) {
  upsweep::counts_to_offsets(snippet::space(), counts, offsets);
}
