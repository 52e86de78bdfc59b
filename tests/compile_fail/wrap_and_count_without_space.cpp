// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: wrap_positions: the first argument is an execution-space instance
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/wrap_positions.hpp>

void wrap_and_count_without_space(snippet::view<double* [3]> const& x, snippet::view<int* [3]> const& crossings,
                                  upsweep::box<double> const& box) {
  upsweep::wrap_positions(SNIPPET_SPACE x, crossings, box);
}
