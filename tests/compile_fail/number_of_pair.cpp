// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: behind j it may take the image or the pair_index

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

// The number of a pair does not fit in an int.
struct add_number_of_pair {
  KOKKOS_FUNCTION void operator()(std::size_t, int, RIGHT_OR_WRONG(std::size_t, int) k, double& sum) const {
    sum += static_cast<double>(k);
  }
};
struct drop_sum {
  KOKKOS_FUNCTION void operator()(std::size_t, double) const {}
};

void number_of_pair(upsweep::neighbor_rows<> const& rows) {
  upsweep::reduce_rows<double>(snippet::space(), rows, add_number_of_pair(), drop_sum());
}
