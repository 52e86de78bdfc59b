// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The binning that the library has compiled with its lists, for calls that build no list.

#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/grid/cell_grid.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstdint>

// Compiled once, in the library. `what` is extern or nothing.
#define UPSWEEP_CELL_GRIDS(what, real)                                                                                 \
  what template void cell_grid<Kokkos::DefaultExecutionSpace, real>::update(                                           \
      one_set<real> const&, std::int64_t, std::int64_t, std::int64_t, box<real> const&, real, neighbor_options const&, \
      bad_particles);                                                                                                  \
  what template void cell_grid<Kokkos::DefaultExecutionSpace, real>::update(                                           \
      both_sets<real> const&, std::int64_t, std::int64_t, std::int64_t, box<real> const&, real,                        \
      neighbor_options const&, bad_particles)

#if !defined(UPSWEEP_TUNING_HEADER) && !defined(UPSWEEP_COMPILES_LISTS)
namespace upsweep::neighbors::detail {

UPSWEEP_CELL_GRIDS(extern, float);
UPSWEEP_CELL_GRIDS(extern, double);

}  // namespace upsweep::neighbors::detail
#endif
