// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#define UPSWEEP_COMPILES_LISTS
#include <upsweep/neighbors/detail/builders/list_steps.hpp>

namespace upsweep::neighbors::detail {

template class compiled_list<Kokkos::DefaultExecutionSpace, float, one_system<float>>;

// For calls that build no list (compiled_grids.hpp).
template void cell_grid<Kokkos::DefaultExecutionSpace, float>::update(one_set<float> const&, std::int64_t, std::int64_t,
                                                                      std::int64_t, box<float> const&, float,
                                                                      neighbor_options const&);
template void cell_grid<Kokkos::DefaultExecutionSpace, float>::update(both_sets<float> const&, std::int64_t,
                                                                      std::int64_t, std::int64_t, box<float> const&,
                                                                      float, neighbor_options const&);

}  // namespace upsweep::neighbors::detail
