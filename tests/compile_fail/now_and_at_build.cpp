// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: behind the space stand now\{x, box\} and at_build\{x_at_build, box_at_build\}
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/needs_rebuild.hpp>

bool now_and_at_build(snippet::view<double* [3]> const& x, snippet::view<double* [3]> const& x_at_build,
                      upsweep::box<double> const& box) {
  upsweep::now const now{x, box};
  upsweep::at_build const before{x_at_build, box};
  return upsweep::needs_rebuild(snippet::space(), RIGHT_OR_WRONG(now, before), RIGHT_OR_WRONG(before, now), 2.5, 0.3);
}
