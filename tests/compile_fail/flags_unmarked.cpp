// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Two Views of integers could take each other's place: the one with flags says so.
// Expected: upsweep::compact: a predicate behind the output, or flagged{flags} before it, says what is chosen
// Lines: 30

#include "snippet.hpp"

#include <upsweep/pack/compact.hpp>

void flags_unmarked(snippet::view<int*> in, snippet::view<int*> out, snippet::view<int*> flags) {
  upsweep::compact(snippet::space(), in, RIGHT_OR_WRONG(upsweep::flagged{flags}, flags), out);
}
