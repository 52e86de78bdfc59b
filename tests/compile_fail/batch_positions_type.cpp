// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: positions and box are of one floating-point type

#include "snippet.hpp"

#include <upsweep/neighbors/batched_neighbor_list.hpp>

#include <vector>

void batch_positions_type(snippet::view<RIGHT_OR_WRONG(double, float) * [3]> const& positions,
                          snippet::view<int*> const& batch_offsets, std::vector<upsweep::box<double>> const& boxes) {
  upsweep::batched_neighbor_list list(snippet::space(), positions, batch_offsets, boxes, 1.0);
}
