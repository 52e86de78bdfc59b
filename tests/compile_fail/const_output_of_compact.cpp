// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the output is a View of rank 1 with elements that can be assigned

#include "snippet.hpp"

#include <upsweep/pack/compact.hpp>

struct positive_to_const {
  KOKKOS_FUNCTION bool operator()(int x) const { return x > 0; }
};
void const_output_of_compact(snippet::view<int*> in, snippet::view<RIGHT_OR_WRONG(int*, int const*)> out) {
  upsweep::compact(snippet::space(), in, out, positive_to_const{});
}
