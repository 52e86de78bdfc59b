// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: flags are a View of rank 1 of an integer type or bool

#include "snippet.hpp"

#include <upsweep/pack/compact.hpp>

void flag_type(snippet::view<double*> in, snippet::view<double*> out,
               snippet::view<RIGHT_OR_WRONG(bool*, float*)> flags) {
  upsweep::compact(snippet::space(), in, upsweep::flagged{flags}, out);
}
