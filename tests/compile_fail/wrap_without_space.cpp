// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: wrap_positions: the first argument is an execution-space instance
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/wrap_positions.hpp>

void wrap_without_space(snippet::view<double* [3]> const& x, upsweep::box<double> const& box) {
  upsweep::wrap_positions(SNIPPET_SPACE x, box);
}
