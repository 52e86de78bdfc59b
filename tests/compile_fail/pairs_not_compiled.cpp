// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: include <upsweep/neighbors/compile_lists.hpp> for others

#include "snippet.hpp"

#include <upsweep/neighbors/for_each_pair.hpp>

using pair_scalar = RIGHT_OR_WRONG(double, long double);

struct ignore_pairs {
  KOKKOS_FUNCTION void operator()(int, int) const {}
};

void pairs_not_compiled(snippet::view<pair_scalar* [3]> const& positions, upsweep::box<pair_scalar> const& box) {
  upsweep::for_each_pair(snippet::space(), positions, box, 1.0, ignore_pairs());
}
