// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// 64-byte vectors of AVX-512. To be included where the target is set to it.

#include "inline.hpp"
#include "vector_of.hpp"
#include "vectors.hpp"
#include "x86_intrinsics.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::internal {

template <class T>
struct avx512 : vector_of<T, 64> {
  using typename vector_of<T, 64>::vector;
  using vector_of<T, 64>::count;

  /// Elements count - Distance ... of `left` followed by `right`: every element moves Distance places up.
  template <int Distance>
  UPSWEEP_INLINE static vector shift(vector left, vector right) {
    if constexpr (sizeof(T) == 4) return (vector)_mm512_alignr_epi32((__m512i)right, (__m512i)left, count - Distance);
    else return (vector)_mm512_alignr_epi64((__m512i)right, (__m512i)left, count - Distance);
  }

  /// 32 bits for choose(). They are kept in memory: a mask is loaded from there by one instruction; from a register it
  /// takes two or three.
  struct mask_bits {
    char const* bytes;
  };
  template <int Count>
  UPSWEEP_INLINE static void keep(std::uint64_t (&words)[Count]) {
    asm volatile("" : "+m"(words));
  }
  template <int Half>
  UPSWEEP_INLINE static mask_bits half_of(std::uint64_t const& word) {
    return {reinterpret_cast<char const*>(&word) + 4 * Half};
  }
  /// Bits First ... First + count - 1.
  template <int First>
  UPSWEEP_INLINE static auto mask_of(mask_bits const& bits) {
    std::conditional_t<sizeof(T) == 4, std::uint16_t, std::uint8_t> mask;
    __builtin_memcpy(&mask, bits.bytes + First / 8, sizeof mask);
    return mask;
  }
  /// Element k of `a` where bit First + k is set, else that of `b`.
  template <int First>
  UPSWEEP_INLINE static vector choose(mask_bits const& bits, vector a, vector b) {
    if constexpr (sizeof(T) == 4) return (vector)_mm512_mask_mov_epi32((__m512i)b, mask_of<First>(bits), (__m512i)a);
    else return (vector)_mm512_mask_mov_epi64((__m512i)b, mask_of<First>(bits), (__m512i)a);
  }

  /// Element k of `a`, to which that of `b` is added where bit First + k is set: one instruction. Compilers make one of
  /// choose() and an addition for integers alone.
  template <int First>
    requires std::is_floating_point_v<T>
  UPSWEEP_INLINE static vector add_where(mask_bits const& bits, vector a, vector b) {
    if constexpr (sizeof(T) == 4)
      return (vector)_mm512_mask_add_ps((__m512)a, mask_of<First>(bits), (__m512)a, (__m512)b);
    else return (vector)_mm512_mask_add_pd((__m512d)a, mask_of<First>(bits), (__m512d)a, (__m512d)b);
  }

  /// One bit per element: whether the two differ.
  UPSWEEP_INLINE static std::uint64_t differ(vector a, vector b) {
    if constexpr (sizeof(T) == 1) return _mm512_cmpneq_epi8_mask((__m512i)a, (__m512i)b);
    else if constexpr (sizeof(T) == 4) return _mm512_cmpneq_epi32_mask((__m512i)a, (__m512i)b);
    else return _mm512_cmpneq_epi64_mask((__m512i)a, (__m512i)b);
  }

  /// The first n elements of 4 or 8 bytes. It and those who call it take BMI2.
  UPSWEEP_INLINE static auto first(std::size_t n) {
    return static_cast<std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8>>(
        _bzhi_u32(~0u, static_cast<unsigned>(n)));
  }
  /// The first n elements, and zeros.
  UPSWEEP_INLINE static vector load_first(T const* in, std::size_t n) {
    if constexpr (sizeof(T) == 4) return (vector)_mm512_maskz_loadu_epi32(first(n), in);
    else return (vector)_mm512_maskz_loadu_epi64(first(n), in);
  }
  /// The first n elements, and those of `rest`.
  UPSWEEP_INLINE static vector load_first(T const* in, std::size_t n, vector rest) {
    if constexpr (sizeof(T) == 4) return (vector)_mm512_mask_loadu_epi32((__m512i)rest, first(n), in);
    else return (vector)_mm512_mask_loadu_epi64((__m512i)rest, first(n), in);
  }
  /// The elements of a mask side by side, and zeros. With the form of the instruction that zeroes, AMD's processors
  /// wait for the last value of the register it goes to: 4.9 cycles each, and 1.0 into a register that was just cleared
  /// (EPYC with Zen 5, 2026-11-28). The compiler must not see the zeros, or it takes that form.
  UPSWEEP_INLINE static vector compress(unsigned chosen, vector v) {
    __m512i zeros = _mm512_setzero_si512();
    asm("" : "+v"(zeros));
    if constexpr (sizeof(T) == 4)
      return (vector)_mm512_mask_compress_epi32(zeros, static_cast<__mmask16>(chosen), (__m512i)v);
    else return (vector)_mm512_mask_compress_epi64(zeros, static_cast<__mmask8>(chosen), (__m512i)v);
  }
  /// Puts the elements of a mask side by side. At most `room` elements are written, which are at least those of the
  /// mask: what is behind them is undefined. They are compressed in a register and stored under a mask, because AMD's
  /// compression to memory is slow.
  UPSWEEP_INLINE static void store_chosen(T* out, std::size_t room, unsigned chosen, vector v) {
    if constexpr (sizeof(T) == 4) _mm512_mask_storeu_epi32(out, first(room), (__m512i)compress(chosen, v));
    else _mm512_mask_storeu_epi64(out, first(room), (__m512i)compress(chosen, v));
  }

  /// Stores past the caches. `out` is aligned to a vector; drain() comes behind the last one.
  UPSWEEP_INLINE static void stream(T* out, vector v) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(out), (__m512i)v);
  }

  UPSWEEP_INLINE static void drain() { _mm_sfence(); }
};

}  // namespace upsweep::internal
