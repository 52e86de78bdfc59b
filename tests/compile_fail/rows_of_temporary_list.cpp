// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: deleted function
// Lines: 60

#include "snippet.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

struct count_of_temporary {
  KOKKOS_FUNCTION void operator()(std::int64_t, int, int& sum) const { ++sum; }
};
struct drop_count {
  KOKKOS_FUNCTION void operator()(std::int64_t, int) const {}
};

// The kernel may still run when the list is gone.
void rows_of_temporary_list(snippet::view<double* [3]> const& positions, upsweep::box<double> const& box) {
  upsweep::neighbor_list const kept(snippet::space(), positions, box, 1.0);
  upsweep::reduce_rows<int>(snippet::space(),
                            RIGHT_OR_WRONG(kept, upsweep::neighbor_list(snippet::space(), positions, box, 1.0)),
                            count_of_temporary(), drop_count());
}
