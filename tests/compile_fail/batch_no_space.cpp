// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance

#include "snippet.hpp"

#include <upsweep/neighbors/batched_neighbor_list.hpp>

#include <vector>

void batch_no_space(snippet::view<double* [3]> const& positions, snippet::view<int*> const& batch_offsets,
                    std::vector<upsweep::box<double>> const& boxes) {
  upsweep::batched_neighbor_list list(RIGHT_OR_WRONG(snippet::space() COMMA, ) positions, batch_offsets, boxes, 1.0);
}
