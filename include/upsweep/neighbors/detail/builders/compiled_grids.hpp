// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The binning that the library has compiled with its lists, for calls that build no list.

#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/grid/cell_grid.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstdint>

#if !defined(UPSWEEP_TUNING_HEADER) && !defined(UPSWEEP_COMPILES_LISTS)
namespace upsweep::neighbors::detail {

extern template void cell_grid<Kokkos::DefaultExecutionSpace, float>::update(one_set<float> const&, std::int64_t,
                                                                             std::int64_t, std::int64_t,
                                                                             box<float> const&, float,
                                                                             neighbor_options const&);
extern template void cell_grid<Kokkos::DefaultExecutionSpace, float>::update(both_sets<float> const&, std::int64_t,
                                                                             std::int64_t, std::int64_t,
                                                                             box<float> const&, float,
                                                                             neighbor_options const&);
extern template void cell_grid<Kokkos::DefaultExecutionSpace, double>::update(one_set<double> const&, std::int64_t,
                                                                              std::int64_t, std::int64_t,
                                                                              box<double> const&, double,
                                                                              neighbor_options const&);
extern template void cell_grid<Kokkos::DefaultExecutionSpace, double>::update(both_sets<double> const&, std::int64_t,
                                                                              std::int64_t, std::int64_t,
                                                                              box<double> const&, double,
                                                                              neighbor_options const&);

}  // namespace upsweep::neighbors::detail
#endif
