// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: upsweep::reduce_rows: the functor takes its sum by reference
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

void sum_by_value(upsweep::neighbor_rows<> const& rows, Kokkos::View<double*> const& out) {
  upsweep::reduce_rows<double>(
      snippet::space(), rows, KOKKOS_LAMBDA(std::size_t, int, RIGHT_OR_WRONG(double&, double) sum) { sum += 1; },
      KOKKOS_LAMBDA(std::size_t i, double sum) { out(i) = sum; });
}
