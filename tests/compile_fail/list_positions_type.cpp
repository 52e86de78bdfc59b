// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: positions and box are of one floating-point type

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

void list_positions_type(snippet::view<RIGHT_OR_WRONG(double, float) * [3]> const& positions,
                         upsweep::box<double> const& box) {
  upsweep::neighbor_list list(snippet::space(), positions, box, 1.0, {.half = true});
}
