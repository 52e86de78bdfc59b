// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: needs_rebuild: the first argument is an execution-space instance
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/needs_rebuild.hpp>

bool rebuild_without_space(snippet::view<double* [3]> const& x, snippet::view<double* [3]> const& x_at_build,
                           upsweep::box<double> const& box) {
  return upsweep::needs_rebuild(SNIPPET_SPACE upsweep::now{x, box}, upsweep::at_build{x_at_build, box}, 2.5, 0.3);
}
