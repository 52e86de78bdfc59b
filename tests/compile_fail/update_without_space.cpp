// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: neighbor_list::update: the first argument is an instance of the list's execution space
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

void update_without_space(upsweep::neighbor_list<snippet::space, double>& list,
                          snippet::view<double* [3]> const& positions) {
  list.update(SNIPPET_SPACE positions);
}
