// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: rebuild is a View of flags, one per system: bool, or integers of one byte
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/batched_neighbor_list.hpp>

void batch_rebuild_type(upsweep::batched_neighbor_list<snippet::space, double>& list,
                        snippet::view<double* [3]> const& positions,
                        RIGHT_OR_WRONG(snippet::view<bool*>, snippet::view<int*>) const& rebuild) {
  list.update(snippet::space(), positions, rebuild);
}
