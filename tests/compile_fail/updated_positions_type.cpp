// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: positions and box are of one floating-point type

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

void updated_positions_type(upsweep::neighbor_list<snippet::space, double>& list,
                            snippet::view<RIGHT_OR_WRONG(double, float) * [3]> const& positions) {
  list.update(snippet::space(), positions);
}
