// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/detail/workspace_memory.hpp>

namespace upsweep::base::detail {

#if defined(KOKKOS_ENABLE_SERIAL)
UPSWEEP_WORKSPACE_MEMORY(Kokkos::Serial);
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
UPSWEEP_WORKSPACE_MEMORY(Kokkos::OpenMP);
#endif
#if defined(KOKKOS_ENABLE_THREADS)
UPSWEEP_WORKSPACE_MEMORY(Kokkos::Threads);
#endif
#if defined(KOKKOS_ENABLE_CUDA)
UPSWEEP_WORKSPACE_MEMORY(Kokkos::Cuda);
#endif
#if defined(KOKKOS_ENABLE_HIP)
UPSWEEP_WORKSPACE_MEMORY(Kokkos::HIP);
#endif

}  // namespace upsweep::base::detail
