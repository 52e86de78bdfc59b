// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: rebuild is a View of bool or integers, one per system
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/batched_neighbor_list.hpp>

#include <vector>

void batch_rebuild_type(upsweep::batched_neighbor_list<snippet::space, double>& list,
                        snippet::view<double* [3]> const& positions,
                        RIGHT_OR_WRONG(snippet::view<bool*>, std::vector<bool>) const& rebuild) {
  list.update(snippet::space(), positions, rebuild);
}
