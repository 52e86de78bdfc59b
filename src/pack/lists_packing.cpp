// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/pack/detail/lists/packing_steps.hpp>

namespace upsweep::pack::detail {

#if defined(KOKKOS_ENABLE_SERIAL)
template struct compiled_packing<Kokkos::Serial>;
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
template struct compiled_packing<Kokkos::OpenMP>;
#endif
#if defined(KOKKOS_ENABLE_THREADS)
template struct compiled_packing<Kokkos::Threads>;
#endif
#if defined(KOKKOS_ENABLE_CUDA)
template struct compiled_packing<Kokkos::Cuda>;
#endif
#if defined(KOKKOS_ENABLE_HIP)
template struct compiled_packing<Kokkos::HIP>;
#endif

}  // namespace upsweep::pack::detail
