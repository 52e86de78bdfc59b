// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>
#include <type_traits>

// What the single-pass sort asks of the hardware: warps of 32 threads whose lanes can be compared, and atomic sums in scratch. For CUDA
// devices of compute capability 7.0 and newer; no other code calls it (compat::has_warps), so elsewhere it only has to compile.

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

  /// The lanes whose values are equal in some bits (in one less for each that is 0). One vote a bit, in the fewest instructions: 2^26 keys sorted on an H200 take
  /// 1450 us with this, 1690 with what the compiler makes of the same votes, and 2600 with the instruction that compares whole words.
  template <int Bits>
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t equal([[maybe_unused]] std::uint32_t value, [[maybe_unused]] std::uint32_t const (&bit)[Bits]) {
    std::uint32_t lanes = 0xffffffffu;
#if defined(UPSWEEP_MATCHING_WARPS)
    UPSWEEP_UNROLL
    for (int b = 0; b < Bits; ++b) lanes &= alike(value, bit[b]);
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
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t lanes_below() {
    std::uint32_t lanes = 0;
#if defined(UPSWEEP_MATCHING_WARPS)
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
#endif
    return lanes;
  }

  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t lanes_above() {
    std::uint32_t lanes = 0;
#if defined(UPSWEEP_MATCHING_WARPS)
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(lanes));
#endif
    return lanes;
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

 private:
#if defined(UPSWEEP_MATCHING_WARPS)
  /// The lanes whose values have the same bit.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t alike(std::uint32_t value, std::uint32_t bit) {
    std::uint32_t lanes;
    asm volatile(
        "{\n.reg .pred one;\n.reg .b32 masked;\n"
        "and.b32 masked, %1, %2;\n"
        "setp.ne.u32 one, masked, 0;\n"
        "vote.sync.ballot.b32 %0, one, 0xffffffff;\n"
        "@!one not.b32 %0, %0;\n}"
        : "=r"(lanes)
        : "r"(value), "r"(bit));
    return lanes;
  }
#endif
};

/// A pointer of which the compiler is told that it is not one to scratch. Not for records: nvcc 13 breaks on their copies.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T* outside_scratch(T* pointer) {
#if defined(UPSWEEP_MATCHING_WARPS)
  if constexpr (std::is_scalar_v<T>) __builtin_assume(__isGlobal(pointer));
#endif
  return pointer;
}

/// Values that go from global memory to scratch on their own, where devices can (compute capability 8.0 and newer) and the length is one
/// that they can copy; others are copied at once.
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

/// A word of scratch by the 32-bit address that instructions use: held in one register, where a pointer would take two.
struct scratch_word {
  std::uint32_t address = 0;

  KOKKOS_FORCEINLINE_FUNCTION static scratch_word of([[maybe_unused]] std::uint32_t const* word) {
#if defined(UPSWEEP_MATCHING_WARPS)
    return {static_cast<std::uint32_t>(__cvta_generic_to_shared(word))};
#else
    return {};
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION scratch_word operator+(std::uint32_t words) const { return {address + 4 * words}; }

  KOKKOS_FORCEINLINE_FUNCTION void increment() const {
#if defined(UPSWEEP_MATCHING_WARPS)
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address) : "memory");
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t load() const {
    std::uint32_t value = 0;
#if defined(UPSWEEP_MATCHING_WARPS)
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
#endif
    return value;
  }
  KOKKOS_FORCEINLINE_FUNCTION void store([[maybe_unused]] std::uint32_t value) const {
#if defined(UPSWEEP_MATCHING_WARPS)
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
#endif
  }
};

}  // namespace upsweep::detail
