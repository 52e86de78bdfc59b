// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The lists that the library has compiled: positions in Views of float and double, on Kokkos' default execution
// space. They are most of what a list would cost to compile. A program with tuning constants of its own
// compiles its own lists.

#include <upsweep/neighbors/neighbor_list.hpp>

#include <cstdint>

/// Declares them (Extern is `extern`) or compiles them (it is empty).
#define UPSWEEP_LISTS(Extern, Real)                                                                                  \
  Extern template void neighbors::detail::cell_grid<Kokkos::DefaultExecutionSpace, Real>::update(                    \
      neighbors::detail::strided_positions<Real> const&, std::int64_t, std::int64_t, std::int64_t, box<Real> const&, \
      Real, neighbor_options const&);                                                                                \
  Extern template void neighbor_list<Kokkos::DefaultExecutionSpace, Real>::emit();                                   \
  Extern template std::uint64_t neighbor_list<Kokkos::DefaultExecutionSpace, Real>::hash() const;                    \
  Extern template void neighbor_list<Kokkos::DefaultExecutionSpace, Real>::count(neighbors::detail::aim);

#if !defined(UPSWEEP_TUNING_HEADER) && !defined(UPSWEEP_COMPILES_LISTS)
namespace upsweep {
UPSWEEP_LISTS(extern, float)
UPSWEEP_LISTS(extern, double)
}  // namespace upsweep
#endif
