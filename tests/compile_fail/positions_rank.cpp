// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: positions is a View \(n, 3\)

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

void positions_rank(snippet::view<double RIGHT_OR_WRONG(**, *)> positions, upsweep::box<double> const& box) {
  upsweep::neighbor_list list(snippet::space(), positions, box, 1.0);
}
