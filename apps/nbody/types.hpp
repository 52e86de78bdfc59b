// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace nbody {

using space_type = Kokkos::DefaultExecutionSpace;
using memory_space = space_type::memory_space;

/// One row of three per particle, rows packed: they go to MPI without a copy.
using vectors = Kokkos::View<double* [3], Kokkos::LayoutRight, memory_space>;
/// Positions with their types: 32 bytes per particle, one vector load on the CPU.
using padded_vectors = Kokkos::View<double* [4], Kokkos::LayoutRight, memory_space>;
/// What their fourth column has for a type, which counts from 1: it counts from 0.
KOKKOS_INLINE_FUNCTION double padded_type(std::int32_t type) { return static_cast<double>(type - 1); }
using scalars = Kokkos::View<double*, memory_space>;
using id_view = Kokkos::View<std::int64_t*, memory_space>;
using type_view = Kokkos::View<std::int32_t*, memory_space>;
using crossing_view = Kokkos::View<int* [3], Kokkos::LayoutRight, memory_space>;

using particle_range = Kokkos::RangePolicy<space_type, Kokkos::IndexType<std::int64_t>>;

inline particle_range particles(space_type const& space, std::size_t n) {
  return {space, 0, static_cast<std::int64_t>(n)};
}

template <class View>
View make(space_type const& space, std::string const& label, std::size_t n) {
  return View(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), n);
}

}  // namespace nbody
