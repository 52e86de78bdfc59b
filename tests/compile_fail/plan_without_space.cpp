// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: neighbor_list::plan: the first argument is an instance of the list's execution space
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

std::size_t plan_without_space(upsweep::neighbor_list<snippet::space, double>& list,
                               snippet::view<double* [3]> const& positions) {
  return list.plan(SNIPPET_SPACE positions).pairs;
}
