// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>
#include <cstring>

// The lanes of a warp, for kernels that only run where compat::has_warps; elsewhere they only have to compile.

#if defined(__CUDA_ARCH__)
#define UPSWEEP_WARPS 1
#endif

namespace upsweep::detail {

inline constexpr int warp_size = 32;

/// Operations of all lanes of a warp together.
struct warp {
  /// The lanes meet, and see what each other wrote before.
  KOKKOS_FORCEINLINE_FUNCTION static void sync() {
#if defined(UPSWEEP_WARPS)
    __syncwarp();
#endif
  }
  /// Bit k: the value of lane k.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t which([[maybe_unused]] bool value) {
#if defined(UPSWEEP_WARPS)
    return __ballot_sync(0xffffffffu, value);
#else
    return 0;
#endif
  }
  /// The number of bits that are set.
  KOKKOS_FORCEINLINE_FUNCTION static int count([[maybe_unused]] std::uint32_t bits) {
#if defined(UPSWEEP_WARPS)
    return __popc(bits);
#else
    return 0;
#endif
  }
  /// Of the bits of lanes below.
  KOKKOS_FORCEINLINE_FUNCTION static int count_below(std::uint32_t bits, int lane) { return count(bits & ((1u << lane) - 1u)); }
  /// Starts to copy an int from device memory into scratch. Nobody may read it before copies_done() and sync().
  KOKKOS_FORCEINLINE_FUNCTION static void start_copy(int* scratch, int const* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(UPSWEEP_PORTABLE_GPU)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(scratch))), "l"(from)
                 : "memory");
#else
    *scratch = *from;
#endif
  }
  /// Waits for the copies that this lane has started.
  KOKKOS_FORCEINLINE_FUNCTION static void copies_done() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(UPSWEEP_PORTABLE_GPU)
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  }
  /// The sum over all lanes.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t sum(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(UPSWEEP_PORTABLE_GPU)
    return __reduce_add_sync(0xffffffffu, value);
#else
    for (int bit = 1; bit < warp_size; bit *= 2) value += from_across(value, bit);
    return value;
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool all(bool value) { return which(value) == 0xffffffffu; }
  /// The lowest bit that is set. Pre: bits != 0.
  KOKKOS_FORCEINLINE_FUNCTION static int lowest([[maybe_unused]] std::uint32_t bits) {
#if defined(UPSWEEP_WARPS)
    return __ffs(static_cast<int>(bits)) - 1;
#else
    return 0;
#endif
  }
  /// The value of another lane.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T from(T const& value, int lane) {
    return moved(value, [=](std::uint32_t word) { return shuffle(word, lane); });
  }
  /// The value of the lane `distance` below; the own one where there is none.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T from_below(T const& value, int distance) {
    return moved(value, [=](std::uint32_t word) { return shuffle_up(word, distance); });
  }
  /// The value of the lane whose number differs in the bits of `mask`.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T from_across(T const& value, int mask) {
    return moved(value, [=](std::uint32_t word) { return shuffle_xor(word, mask); });
  }

 private:
  template <class T, class Move>
  KOKKOS_FORCEINLINE_FUNCTION static T moved(T const& value, Move const& move) {
    constexpr int words = static_cast<int>((sizeof(T) + 3) / 4);
    std::uint32_t word[words] = {};
    memcpy(word, &value, sizeof(T));
    UPSWEEP_UNROLL
    for (int k = 0; k < words; ++k) word[k] = move(word[k]);
    T result = value;
    memcpy(&result, word, sizeof(T));
    return result;
  }
#if defined(UPSWEEP_WARPS)
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle(std::uint32_t w, int lane) { return __shfl_sync(0xffffffffu, w, lane); }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_up(std::uint32_t w, int d) { return __shfl_up_sync(0xffffffffu, w, d); }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_xor(std::uint32_t w, int m) { return __shfl_xor_sync(0xffffffffu, w, m); }
#else
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle(std::uint32_t w, int) { return w; }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_up(std::uint32_t w, int) { return w; }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shuffle_xor(std::uint32_t w, int) { return w; }
#endif
};

/// The combination of all lanes' values, in order, in every lane.
template <class Monoid>
KOKKOS_FORCEINLINE_FUNCTION typename Monoid::value_type warp_fold(Monoid const& op, typename Monoid::value_type value, int lane) {
  UPSWEEP_UNROLL
  for (int bit = 1; bit < warp_size; bit *= 2) {
    auto const other = warp::from_across(value, bit);
    bool const right = (lane & bit) != 0;
    value = op(right ? other : value, right ? value : other);
  }
  return value;
}

/// The combination of the values of all lanes up to and including this one (Kogge-Stone).
template <class Monoid>
KOKKOS_FORCEINLINE_FUNCTION typename Monoid::value_type warp_scan(Monoid const& op, typename Monoid::value_type value, int lane) {
  UPSWEEP_UNROLL
  for (int distance = 1; distance < warp_size; distance *= 2) {
    auto const left = warp::from_below(value, distance);
    if (lane >= distance) value = op(left, value);
  }
  return value;
}

}  // namespace upsweep::detail
