// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>

// What the single-pass sort asks of the hardware: warps of 32 threads whose lanes can be compared, and atomic sums in scratch. For CUDA
// devices of compute capability 7.0 and newer; no other code calls it (compat::has_matching_warps), so elsewhere it only has to compile.

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define UPSWEEP_MATCHING_WARPS 1
#endif

namespace upsweep::detail {

/// Operations of all 32 lanes of a warp together.
struct matching_warp {
  static constexpr int size = 32;

  /// The lanes meet, and see what each other wrote before.
  KOKKOS_FORCEINLINE_FUNCTION static void sync() {
#if defined(UPSWEEP_MATCHING_WARPS)
    __syncwarp();
#endif
  }

  /// The lanes whose values are equal in their lowest Bits bits. One vote a bit: fewer cycles than the instruction that compares whole
  /// words.
  template <int Bits>
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t equal([[maybe_unused]] std::uint32_t value) {
    std::uint32_t lanes = 0xffffffffu;
#if defined(UPSWEEP_MATCHING_WARPS)
    UPSWEEP_UNROLL
    for (int bit = 0; bit < Bits; ++bit) {
      bool const one = (value >> bit & 1u) != 0;
      std::uint32_t const ones = __ballot_sync(0xffffffffu, one);
      lanes &= one ? ones : ~ones;
    }
#endif
    return lanes;
  }

  KOKKOS_FORCEINLINE_FUNCTION static int count([[maybe_unused]] std::uint32_t lanes) {
#if defined(UPSWEEP_MATCHING_WARPS)
    return __popc(lanes);
#else
    return 0;
#endif
  }
  /// The highest lane of some. Pre: lanes != 0.
  KOKKOS_FORCEINLINE_FUNCTION static int highest([[maybe_unused]] std::uint32_t lanes) {
#if defined(UPSWEEP_MATCHING_WARPS)
    return 31 - __clz(static_cast<int>(lanes));
#else
    return 0;
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t lanes_below() {
    std::uint32_t lanes = 0;
#if defined(UPSWEEP_MATCHING_WARPS)
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
#endif
    return lanes;
  }

  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t from(std::uint32_t value, [[maybe_unused]] int lane) {
#if defined(UPSWEEP_MATCHING_WARPS)
    return __shfl_sync(0xffffffffu, value, lane);
#else
    return value;
#endif
  }
  /// The sum of the values of all lanes up to this one.
  template <class Integer>
  KOKKOS_FORCEINLINE_FUNCTION static Integer inclusive_sum(Integer value, [[maybe_unused]] int lane) {
#if defined(UPSWEEP_MATCHING_WARPS)
    UPSWEEP_UNROLL
    for (int distance = 1; distance < size; distance *= 2) {
      Integer const left = __shfl_up_sync(0xffffffffu, value, static_cast<unsigned>(distance));
      if (lane >= distance) value += left;
    }
#endif
    return value;
  }
};

/// Adds to a word of scratch; returns what it was.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t add_in_scratch([[maybe_unused]] std::uint32_t* word, [[maybe_unused]] std::uint32_t value) {
#if defined(UPSWEEP_MATCHING_WARPS)
  return atomicAdd(word, value);
#else
  return 0;
#endif
}

}  // namespace upsweep::detail
