// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/internal/cpu/cpu_range.hpp>

namespace upsweep::internal {

#if defined(KOKKOS_ENABLE_SERIAL)
UPSWEEP_FORK_RANGES(, Kokkos::Serial);
UPSWEEP_RUN_RANGES(, Kokkos::Serial);
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
UPSWEEP_FORK_RANGES(, Kokkos::OpenMP);
UPSWEEP_RUN_RANGES(, Kokkos::OpenMP);
#endif

}  // namespace upsweep::internal
