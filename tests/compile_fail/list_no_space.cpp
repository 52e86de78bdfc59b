// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

void list_no_space(snippet::view<double* [3]> const& positions, upsweep::box<double> const& box) {
  upsweep::neighbor_list list(RIGHT_OR_WRONG(snippet::space() COMMA, ) positions, box, 1.0);
}
