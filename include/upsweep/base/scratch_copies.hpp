// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>

namespace upsweep::detail {

/// Values that are copied from global memory to scratch asynchronously (cp.async: CUDA, compute capability 8.0 and newer), where their
/// length allows it; others are copied at once. Who else reads them needs a barrier behind wait().
struct scratch_copies {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void begin(T* to, T const* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(UPSWEEP_PORTABLE_GPU)
    if constexpr ((sizeof(T) == 4 || sizeof(T) == 8) && alignof(T) == sizeof(T)) {
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to))), "l"(from),
                   "n"(static_cast<int>(sizeof(T)))
                   : "memory");
      return;
    }
#endif
    *to = *from;
  }
  /// Waits for those that this thread has begun.
  KOKKOS_FORCEINLINE_FUNCTION static void wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(UPSWEEP_PORTABLE_GPU)
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  }
};

}  // namespace upsweep::detail
