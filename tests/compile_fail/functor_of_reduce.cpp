// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Nobody knows the identity of a functor.
// Expected: an operation is a monoid, .*upsweep::plus<>, not std::plus<>
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/reduce.hpp>

namespace functor_of_reduce_snippet {
struct operation {
  using value_type = int;
  RIGHT_OR_WRONG(KOKKOS_FUNCTION int identity() const { return 0; }, )
  KOKKOS_FUNCTION int operator()(int left, int right) const { return left + right; }
};
}  // namespace functor_of_reduce_snippet

void functor_of_reduce(snippet::view<int*> in) {
  upsweep::reduce(snippet::space(), in, functor_of_reduce_snippet::operation{});
}
