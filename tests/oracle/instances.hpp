// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace oracle {

#if defined(KOKKOS_ENABLE_OPENMP)
template <class ExecutionSpace>
inline constexpr bool is_openmp = std::is_same_v<ExecutionSpace, Kokkos::OpenMP>;
#else
template <class ExecutionSpace>
inline constexpr bool is_openmp = false;
#endif

/// Whether instances() gives instances that differ.
#if defined(KOKKOS_ENABLE_CUDA)
template <class ExecutionSpace>
inline constexpr bool has_instances = is_openmp<ExecutionSpace> || std::is_same_v<ExecutionSpace, Kokkos::Cuda>;
#elif defined(KOKKOS_ENABLE_HIP)
template <class ExecutionSpace>
inline constexpr bool has_instances = is_openmp<ExecutionSpace> || std::is_same_v<ExecutionSpace, Kokkos::HIP>;
#else
template <class ExecutionSpace>
inline constexpr bool has_instances = is_openmp<ExecutionSpace>;
#endif

/// Instances of a space, of which none is equal to another or to the default one (see has_instances). Those of OpenMP
/// have threads of their own, 1, 2, 3, 1, ...: partition_space gives the default instance several times unless
/// OMP_MAX_ACTIVE_LEVELS is 2 at least.
template <class ExecutionSpace>
std::vector<ExecutionSpace> instances(std::size_t count) {
  if constexpr (is_openmp<ExecutionSpace>) {
    std::vector<ExecutionSpace> made;
    for (std::size_t k = 0; k < count; ++k) made.emplace_back(1 + static_cast<int>(k % 3));
    return made;
  } else {
    return Kokkos::Experimental::partition_space(ExecutionSpace(), std::vector<int>(count, 1));
  }
}

}  // namespace oracle
