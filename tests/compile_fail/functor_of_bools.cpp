// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A lambda without captures converts to bool, by way of a pointer: it could be taken for an initial value.
// Expected: an operation is a monoid, .*upsweep::plus<>, not std::plus<>
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void functor_of_bools(snippet::view<bool*> in, snippet::view<bool*> out) {
  upsweep::exclusive_scan(snippet::space(), in, out,
                          RIGHT_OR_WRONG(upsweep::logical_or<>{}, [](bool l, bool r) { return l || r; }));
}
