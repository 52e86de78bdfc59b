// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The lists of batches that the library has compiled, as those of compiled_lists.hpp.

#include <upsweep/neighbors/batched_neighbor_list.hpp>

#include <cstdint>

/// Declares them (Extern is `extern`) or compiles them (it is empty).
#define UPSWEEP_BATCHES(Extern, Real)                                                                               \
  Extern template void                                                                                              \
  neighbors::detail::cell_grid<Kokkos::DefaultExecutionSpace, Real, neighbors::detail::many_systems<Real>>::update( \
      neighbors::detail::strided_positions<Real> const&, std::int64_t, std::int64_t, std::int64_t,                  \
      neighbors::detail::system_table<Kokkos::DefaultExecutionSpace, Real>&, Real, neighbor_options const&);        \
  Extern template void                                                                                              \
  neighbor_list<Kokkos::DefaultExecutionSpace, Real, neighbors::detail::many_systems<Real>>::emit();                \
  Extern template void neighbor_list<Kokkos::DefaultExecutionSpace, Real,                                           \
                                     neighbors::detail::many_systems<Real>>::count(neighbors::detail::aim);

#if !defined(UPSWEEP_TUNING_HEADER) && !defined(UPSWEEP_COMPILES_LISTS)
namespace upsweep {
UPSWEEP_BATCHES(extern, float)
UPSWEEP_BATCHES(extern, double)
}  // namespace upsweep
#endif
