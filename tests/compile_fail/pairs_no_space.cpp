// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance

#include "snippet.hpp"

#include <upsweep/neighbors/for_each_pair.hpp>

struct ignore_pairs_anywhere {
  KOKKOS_FUNCTION void operator()(int, int) const {}
};

void pairs_no_space(snippet::view<double* [3]> const& positions, upsweep::box<double> const& box) {
  upsweep::for_each_pair(RIGHT_OR_WRONG(snippet::space() COMMA, ) positions, box, 1.0, ignore_pairs_anywhere());
}
