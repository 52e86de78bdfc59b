// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: upsweep::reduce_neighbors: the functor takes its partial result by reference
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>

double partial_by_value(upsweep::neighbor_rows<> const& rows) {
  double sum = 0;
  upsweep::reduce_neighbors(rows, 0, [](int j, RIGHT_OR_WRONG(double&, double) partial) { partial += j; }, sum);
  return sum;
}
