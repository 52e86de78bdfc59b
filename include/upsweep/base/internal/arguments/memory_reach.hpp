// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

namespace upsweep::internal {

/// Whether kernels of CPUs and of GPUs can read a View. The type of a View of AnonymousSpace does not show it.
struct memory_reach {
  bool by_cpus = true, by_gpus = true;

  template <class MemorySpace>
  static constexpr memory_reach of() {
    using gpu = Kokkos::DefaultExecutionSpace;  // if there are any, unless Kokkos was told to prefer CPUs
    return {Kokkos::SpaceAccessibility<Kokkos::DefaultHostExecutionSpace, MemorySpace>::accessible,
            !compat::is_gpu<gpu> || Kokkos::SpaceAccessibility<gpu, MemorySpace>::accessible};
  }
  template <class ExecutionSpace>
  constexpr bool by() const {
    return compat::is_gpu<ExecutionSpace> ? by_gpus : by_cpus;
  }
};

}  // namespace upsweep::internal
