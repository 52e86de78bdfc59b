// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: an operation is a monoid, .*upsweep::plus<>, not std::plus<>
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void functor_operation(snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::exclusive_scan(snippet::space(), in, out, 0, snippet::sum_of_two{});
}
