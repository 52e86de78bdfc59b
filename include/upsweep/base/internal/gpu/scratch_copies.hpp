// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>

namespace upsweep::internal {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(UPSWEEP_PORTABLE_GPU)
#define UPSWEEP_SCRATCH_COPIES 1
#define UPSWEEP_COPY_PTX(...) asm volatile(__VA_ARGS__)
#else
#define UPSWEEP_COPY_PTX(...) static_cast<void>(0)
#endif

/// Values that are copied from global memory to scratch asynchronously (cp.async: CUDA, compute capability 8.0 and
/// newer), where their length allows it; others are copied at once. Who else reads them needs a barrier behind wait().
struct scratch_copies {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void begin(T* to, T const* from) {
#if defined(UPSWEEP_SCRATCH_COPIES)
    if constexpr ((sizeof(T) == 4 || sizeof(T) == 8) && alignof(T) == sizeof(T)) {
      asm volatile(
          "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
          "l"(from), "n"(static_cast<int>(sizeof(T)))
          : "memory");
      return;
    }
#endif
    *to = *from;
  }

  /// Bytes that begin_chunk() copies, past the L1 cache. Addresses are multiples of it.
  static constexpr int chunk = 16;
#if defined(UPSWEEP_SCRATCH_COPIES)
  static constexpr bool has_chunks = true;
#else
  static constexpr bool has_chunks = false;
#endif
  /// Pre: has_chunks.
  KOKKOS_FORCEINLINE_FUNCTION static void begin_chunk([[maybe_unused]] void* to, [[maybe_unused]] void const* from) {
    UPSWEEP_COPY_PTX(
        "cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
        "l"(from), "n"(chunk) : "memory");
  }

  /// What this thread has begun since the last call is a group.
  KOKKOS_FORCEINLINE_FUNCTION static void close_group() { UPSWEEP_COPY_PTX("cp.async.commit_group;" :: : "memory"); }
  /// Waits for this thread's groups but the last one.
  KOKKOS_FORCEINLINE_FUNCTION static void wait_but_last() { UPSWEEP_COPY_PTX("cp.async.wait_group 1;" :: : "memory"); }
  /// Waits for all that this thread has begun.
  KOKKOS_FORCEINLINE_FUNCTION static void wait() { UPSWEEP_COPY_PTX("cp.async.wait_all;" :: : "memory"); }
};

#undef UPSWEEP_COPY_PTX

}  // namespace upsweep::internal
