// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The options that follow a predicate are there. flags_unmarked.cpp has a call without options.
// Expected: upsweep::compact: a predicate behind the output, or flagged{flags} before it, says what is chosen
// Lines: 30

#include "snippet.hpp"

#include <upsweep/pack/compact.hpp>

struct positive_or_forgotten {
  KOKKOS_FUNCTION bool operator()(int x) const { return x > 0; }
};
void compact_without_predicate(snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::compact(snippet::space(), in, out RIGHT_OR_WRONG(COMMA positive_or_forgotten{}, ), {.label = "positive"});
}
