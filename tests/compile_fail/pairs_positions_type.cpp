// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: positions and box are of one floating-point type

#include "snippet.hpp"

#include <upsweep/neighbors/for_each_pair.hpp>

struct ignore_typed_pairs {
  KOKKOS_FUNCTION void operator()(int, int) const {}
};

void pairs_positions_type(snippet::view<RIGHT_OR_WRONG(double, float) * [3]> const& positions,
                          upsweep::box<double> const& box) {
  upsweep::for_each_pair(snippet::space(), positions, box, 1.0, ignore_typed_pairs());
}
