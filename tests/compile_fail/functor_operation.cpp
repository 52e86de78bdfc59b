// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Nobody knows the identity of a functor.
// Expected: an operation is a monoid, .*upsweep::plus<>, not std::plus<>
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

namespace functor_operation_snippet {
struct operation {
  using value_type = int;
  RIGHT_OR_WRONG(KOKKOS_FUNCTION int identity() const { return 0; }, )
  KOKKOS_FUNCTION int operator()(int left, int right) const { return left + right; }
};
}  // namespace functor_operation_snippet

void functor_operation(snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::exclusive_scan(snippet::space(), in, out, 0, functor_operation_snippet::operation{});
}
