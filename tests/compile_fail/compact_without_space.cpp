// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance

#include "snippet.hpp"

#include <upsweep/pack/compact.hpp>

struct positive_without_space {
  KOKKOS_FUNCTION bool operator()(int x) const { return x > 0; }
};
void compact_without_space(snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::compact(RIGHT_OR_WRONG(snippet::space(), in), in, out, positive_without_space{});
}
