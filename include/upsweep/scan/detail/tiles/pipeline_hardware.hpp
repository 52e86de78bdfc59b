// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

// What the pipelined engine asks of the hardware: barriers in scratch that asynchronous copies arrive at, and those
// copies. PTX for CUDA devices of compute capability 9.0 and newer; no other code calls them (compat::has_bulk_copies),
// so elsewhere they only have to compile.

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define UPSWEEP_PIPELINE_HARDWARE 1
#endif

namespace upsweep::scan::detail {

/// Bytes of scratch of a multiprocessor, all teams together, of which each costs 1 KiB more: compute
/// capability 9.0 and 10.0.
inline constexpr int scratch_of_multiprocessor = 228 * 1024;

#if defined(UPSWEEP_PIPELINE_HARDWARE)
/// The address that PTX uses for scratch.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t scratch_address(void const* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}
#endif

/// A barrier in scratch that is passed once per phase, when all that it expects have arrived, threads or copied bytes.
/// Phases differ by their parity: wait(p) returns when the phase of parity p is over. (PTX: mbarrier.)
class phase_barrier {
 public:
  KOKKOS_FORCEINLINE_FUNCTION void init([[maybe_unused]] int arrivals) {
#if defined(UPSWEEP_PIPELINE_HARDWARE)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(scratch_address(&word_)), "r"(arrivals) : "memory");
#endif
  }
  /// By the thread that has called init, before others use the barriers.
  KOKKOS_FORCEINLINE_FUNCTION static void publish_init() {
#if defined(UPSWEEP_PIPELINE_HARDWARE)
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION void arrive() {
#if defined(UPSWEEP_PIPELINE_HARDWARE)
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(scratch_address(&word_)) : "memory");
#endif
  }
  /// Arrives, and has the phase wait for so many copied bytes, too.
  KOKKOS_FORCEINLINE_FUNCTION void arrive_expecting([[maybe_unused]] std::uint32_t bytes) {
#if defined(UPSWEEP_PIPELINE_HARDWARE)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(scratch_address(&word_)), "r"(bytes)
                 : "memory");
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION void wait([[maybe_unused]] std::uint32_t parity) {
#if defined(UPSWEEP_PIPELINE_HARDWARE)
    asm volatile(
        "{\n.reg .pred passed;\n"
        "again%=: mbarrier.try_wait.parity.shared::cta.b64 passed, [%0], %1;\n"
        "@!passed bra again%=;\n}" ::"r"(scratch_address(&word_)),
        "r"(parity)
        : "memory");
#endif
  }

 private:
  [[maybe_unused]] std::uint64_t word_;
  friend struct bulk_copy;
};

/// Copies of contiguous memory by the copy engine of the multiprocessor, issued by one thread. Addresses and
/// lengths are multiples of 16 bytes. What is copied is not used again, unless the caller says so: the L2 cache
/// may drop it first.
struct bulk_copy {
  /// Global memory to scratch; the bytes arrive at the barrier.
  template <bool UsedAgain = false>
  KOKKOS_FORCEINLINE_FUNCTION static void load([[maybe_unused]] void* scratch, [[maybe_unused]] void const* from,
                                               [[maybe_unused]] std::uint32_t bytes,
                                               [[maybe_unused]] phase_barrier& arrives) {
#if defined(UPSWEEP_PIPELINE_HARDWARE)
    if constexpr (UsedAgain) {
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                       scratch_address(scratch)),
                   "l"(from), "r"(bytes), "r"(scratch_address(&arrives.word_))
                   : "memory");
      return;
    }
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" ::
            "r"(scratch_address(scratch)),
        "l"(from), "r"(bytes), "r"(scratch_address(&arrives.word_)), "l"(evict_first())
        : "memory");
#endif
  }
  /// Has global memory brought into the L2 cache.
  KOKKOS_FORCEINLINE_FUNCTION static void prefetch([[maybe_unused]] void const* from,
                                                   [[maybe_unused]] std::uint32_t bytes) {
#if defined(UPSWEEP_PIPELINE_HARDWARE)
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
#endif
  }
  /// Scratch to global memory.
  KOKKOS_FORCEINLINE_FUNCTION static void store([[maybe_unused]] void* to, [[maybe_unused]] void const* scratch,
                                                [[maybe_unused]] std::uint32_t bytes) {
#if defined(UPSWEEP_PIPELINE_HARDWARE)
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(to),
                 "r"(scratch_address(scratch)), "r"(bytes), "l"(evict_first())
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#endif
  }
  /// Waits until all stores of this thread have read their scratch.
  KOKKOS_FORCEINLINE_FUNCTION static void wait_for_stores() {
#if defined(UPSWEEP_PIPELINE_HARDWARE)
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
  }
  /// By each thread that has written scratch by ordinary stores, before a copy that another thread issues reads it.
  KOKKOS_FORCEINLINE_FUNCTION static void publish_scratch() {
#if defined(UPSWEEP_PIPELINE_HARDWARE)
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  }

 private:
#if defined(UPSWEEP_PIPELINE_HARDWARE)
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t evict_first() {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
  }
#endif
};

/// A barrier among the first `threads` threads of a team, whole warps; the others go on.
KOKKOS_FORCEINLINE_FUNCTION void barrier_of_first([[maybe_unused]] int threads) {
#if defined(UPSWEEP_PIPELINE_HARDWARE)
  asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
#endif
}

}  // namespace upsweep::scan::detail
