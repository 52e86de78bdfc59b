// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: behind the space stand now\{x, box\} and at_build\{x_at_build, box_at_build\}
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/needs_rebuild.hpp>

bool rebuild_unmarked(snippet::view<double* [3]> const& x, snippet::view<double* [3]> const& x_at_build,
                      upsweep::box<double> const& box) {
  return upsweep::needs_rebuild(snippet::space(), RIGHT_OR_WRONG(upsweep::now{x COMMA box}, x),
                                RIGHT_OR_WRONG(upsweep::at_build{x_at_build COMMA box}, x_at_build), 2.5, 0.3);
}
