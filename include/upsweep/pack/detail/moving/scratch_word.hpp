// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/scratch_copies.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>
#include <type_traits>

// How the single-pass sort and the histogram address memory.

namespace upsweep::pack::detail {

/// A pointer that, as the compiler learns here, does not point to scratch. Not for records: nvcc 13 breaks
/// on their copies.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T* outside_scratch(T* pointer) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_scalar_v<T>) __builtin_assume(__isGlobal(pointer));
#endif
  return pointer;
}

/// A word of scratch by the 32-bit address that instructions use: held in one register, where a pointer would take two.
/// For CUDA; elsewhere it only has to compile.
struct scratch_word {
  std::uint32_t address = 0;

  KOKKOS_FORCEINLINE_FUNCTION static scratch_word of([[maybe_unused]] std::uint32_t const* word) {
#if defined(__CUDA_ARCH__)
    return {static_cast<std::uint32_t>(__cvta_generic_to_shared(word))};
#else
    return {};
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION scratch_word operator+(std::uint32_t words) const { return {address + 4 * words}; }

  /// Its index in an array of `words` of them, a power of two, that is aligned to its size.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t index_in(std::uint32_t words) const { return address / 4 % words; }

  KOKKOS_FORCEINLINE_FUNCTION void increment() const {
#if defined(__CUDA_ARCH__)
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address) : "memory");
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION void add([[maybe_unused]] std::uint32_t value) const {
#if defined(__CUDA_ARCH__)
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t load() const {
    std::uint32_t value = 0;
#if defined(__CUDA_ARCH__)
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
#endif
    return value;
  }
  KOKKOS_FORCEINLINE_FUNCTION void store([[maybe_unused]] std::uint32_t value) const {
#if defined(__CUDA_ARCH__)
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
#endif
  }
};

/// How threads with these lanes use scratch. A test specialises it for lockstep lanes.
template <class Lanes>
struct scratch_access {
  using word = scratch_word;
  using copies = internal::scratch_copies;
};

/// Words of scratch that a team's threads add to, for any backend: Kokkos' atomic functions do not know that memory is
/// scratch, and take CUDA's slow way for memory of any kind.
struct scratch_sums {
  std::uint32_t* pointer;
  scratch_word word;

  KOKKOS_FORCEINLINE_FUNCTION explicit scratch_sums(std::uint32_t* at) : pointer(at), word(scratch_word::of(at)) {}

  KOKKOS_FORCEINLINE_FUNCTION void add(std::uint32_t at, std::uint32_t value) const {
#if defined(__CUDA_ARCH__)
    (word + at).add(value);
#elif defined(__HIP_DEVICE_COMPILE__)
    __hip_atomic_fetch_add(pointer + at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
#else
    Kokkos::atomic_add(pointer + at, value);
#endif
  }
};

}  // namespace upsweep::pack::detail
