// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#define UPSWEEP_COMPILES_LISTS
#include <upsweep/neighbors/detail/builders/list_steps.hpp>

namespace upsweep::neighbors::detail {

template class compiled_list<Kokkos::DefaultExecutionSpace, double, one_system<double>>;

// For calls that build no list (compiled_grids.hpp).
template void cell_grid<Kokkos::DefaultExecutionSpace, double>::update(one_set<double> const&, std::int64_t,
                                                                       std::int64_t, std::int64_t, box<double> const&,
                                                                       double, neighbor_options const&);
template void cell_grid<Kokkos::DefaultExecutionSpace, double>::update(both_sets<double> const&, std::int64_t,
                                                                       std::int64_t, std::int64_t, box<double> const&,
                                                                       double, neighbor_options const&);

}  // namespace upsweep::neighbors::detail
