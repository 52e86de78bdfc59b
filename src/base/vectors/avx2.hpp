// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// 32-byte vectors of AVX2. To be included where the target is set to it.

#include "inline.hpp"
#include "vector_of.hpp"
#include "vectors.hpp"
#include "x86_intrinsics.hpp"

#include <cstddef>
#include <cstdint>

namespace upsweep::internal {

/// For each mask of elements of Size bytes, the numbers of their 32-bit lanes in order, a byte each.
template <unsigned Size>
struct lane_numbers {
  static constexpr unsigned count = 32 / Size, parts = Size / 4;
  std::uint64_t of[1u << count];

  constexpr lane_numbers() : of{} {
    for (unsigned m = 0; m < 1u << count; ++m) {
      unsigned at = 0;
      for (unsigned k = 0; k < count * parts; ++k)
        if ((m >> (k / parts) & 1u) != 0) of[m] |= std::uint64_t(k) << (8 * at++);
    }
  }
};
template <unsigned Size>
inline constexpr lane_numbers<Size> lane_numbers_of{};

template <class T>
struct avx2 : vector_of<T, 32> {
  using typename vector_of<T, 32>::vector;
  using vector_of<T, 32>::count;

  /// Elements count - Distance ... of `left` followed by `right`: every element moves Distance places up.
  template <int Distance>
  UPSWEEP_INLINE static vector shift(vector left, vector right) {
    constexpr int bytes = Distance * int(sizeof(T));
    __m256i const middle = _mm256_permute2x128_si256((__m256i)left, (__m256i)right, 0x21);
    if constexpr (bytes == 16) return (vector)middle;
    else return (vector)_mm256_alignr_epi8((__m256i)right, middle, 16 - bytes);
  }

  /// 32 bits for choose(), in each element.
  struct mask_bits {
    __m256i word;
  };
  template <int Count>
  UPSWEEP_INLINE static void keep(std::uint64_t (&)[Count]) {}
  template <int Half>
  UPSWEEP_INLINE static mask_bits half_of(std::uint64_t word) {
    auto const half = static_cast<std::uint32_t>(word >> (32 * Half));
    if constexpr (sizeof(T) == 4) return {_mm256_set1_epi32(static_cast<int>(half))};
    else return {_mm256_set1_epi64x(half)};
  }
  /// Element k of `a` where bit First + k is set, else that of `b`.
  template <int First>
  UPSWEEP_INLINE static vector choose(mask_bits const& bits, vector a, vector b) {
    // Each bit goes to the sign of its element.
    if constexpr (sizeof(T) == 4) {
      constexpr int top = 31 - First;
      __m256i const places = _mm256_setr_epi32(top, top - 1, top - 2, top - 3, top - 4, top - 5, top - 6, top - 7);
      return (vector)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)_mm256_sllv_epi32(bits.word, places));
    } else {
      constexpr int top = 63 - First;
      __m256i const places = _mm256_setr_epi64x(top, top - 1, top - 2, top - 3);
      return (vector)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)_mm256_sllv_epi64(bits.word, places));
    }
  }

  /// One bit per element: whether the two differ.
  UPSWEEP_INLINE static std::uint64_t differ(vector a, vector b) {
    if constexpr (sizeof(T) == 1)
      return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8((__m256i)a, (__m256i)b)));
    else if constexpr (sizeof(T) == 4)
      return 0xffu ^ static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)_mm256_cmpeq_epi32((__m256i)a, (__m256i)b)));
    else
      return 0xfu ^ static_cast<std::uint32_t>(_mm256_movemask_pd((__m256d)_mm256_cmpeq_epi64((__m256i)a, (__m256i)b)));
  }

  /// All bits of the first n elements of 4 or 8 bytes.
  UPSWEEP_INLINE static __m256i first(std::size_t n) {
    __m256i const number =
        sizeof(T) == 4 ? _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7) : _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), number);
  }
  /// The first n elements, and zeros.
  UPSWEEP_INLINE static vector load_first(T const* in, std::size_t n) {
    if (n == count) return (vector)_mm256_loadu_si256(reinterpret_cast<__m256i const*>(in));
    return (vector)_mm256_maskload_epi32(reinterpret_cast<int const*>(in), first(n));
  }
  /// The first n elements, and those of `rest`.
  UPSWEEP_INLINE static vector load_first(T const* in, std::size_t n, vector rest) {
    return (vector)_mm256_blendv_epi8((__m256i)rest, (__m256i)load_first(in, n), first(n));
  }
  /// Puts the elements of a mask side by side. At most `room` elements are written, which are at least those of the
  /// mask: what is behind them is undefined.
  UPSWEEP_INLINE static void store_chosen(T* out, std::size_t room, unsigned chosen, vector v) {
    __m128i const bytes = _mm_cvtsi64_si128(static_cast<long long>(lane_numbers_of<sizeof(T)>.of[chosen]));
    __m256i const packed = _mm256_permutevar8x32_epi32((__m256i)v, _mm256_cvtepu8_epi32(bytes));
    if (room >= count) _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), packed);
    else _mm256_maskstore_epi32(reinterpret_cast<int*>(out), first(room), packed);
  }

  /// Stores past the caches. `out` is aligned to a vector; drain() comes behind the last one.
  UPSWEEP_INLINE static void stream(T* out, vector v) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(out), (__m256i)v);
  }

  UPSWEEP_INLINE static void drain() { _mm_sfence(); }
};

}  // namespace upsweep::internal
