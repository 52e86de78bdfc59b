// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// 16-byte vectors in the compilers' portable notation: SSE2 on x86-64, NEON on ARM.

#include "inline.hpp"
#include "vector_of.hpp"
#include "vectors.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace upsweep::internal {

template <class T>
struct portable : vector_of<T, 16> {
  using typename vector_of<T, 16>::vector;
  using vector_of<T, 16>::count;

  /// Elements count - Distance ... of `left` followed by `right`: every element moves Distance places up.
  template <int Distance>
  UPSWEEP_INLINE static vector shift(vector left, vector right) {
    if constexpr (count == 2) {
      return __builtin_shufflevector(left, right, 1, 2);
    } else if constexpr (Distance == 1) {
      // Two steps of one instruction each; in one step compilers need up to six.
      vector const middle = __builtin_shufflevector(left, right, 3, 3, 4, 4);
      return __builtin_shufflevector(middle, right, 0, 2, 5, 6);
    } else {
      static_assert(Distance == 2);
      return __builtin_shufflevector(left, right, 2, 3, 4, 5);
    }
  }

  /// 32 bits for choose().
  struct mask_bits {
    std::uint32_t word;
  };
  template <int Count>
  UPSWEEP_INLINE static void keep(std::uint64_t (&)[Count]) {}
  template <int Half>
  UPSWEEP_INLINE static mask_bits half_of(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word >> (32 * Half))};
  }
  /// Element k of `a` where bit First + k is set, else that of `b`.
  template <int First>
  UPSWEEP_INLINE static vector choose(mask_bits const& bits, vector a, vector b) {
    using integer = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    typedef integer integers __attribute__((vector_size(16)));
    integers own;
    for (int k = 0; k < count; ++k) own[k] = integer(1) << (First + k);
    integers const chosen = (integers)((own & integer(bits.word)) != 0);
    return (vector)(((integers)a & chosen) | ((integers)b & ~chosen));
  }

  /// One bit per element: whether the two differ. For elements of 4 or 8 bytes.
  UPSWEEP_INLINE static std::uint64_t differ(vector a, vector b) {
#if defined(__SSE2__)
    // SSE2 compares elements of 4 bytes only.
    if constexpr (sizeof(T) == 4) return static_cast<std::uint32_t>(_mm_movemask_ps((__m128)(a != b)));
#endif
    std::uint64_t bits = 0;
    for (int k = 0; k < count; ++k) bits |= static_cast<std::uint64_t>(a[k] != b[k] ? 1 : 0) << k;
    return bits;
  }
  /// The first n elements, and those of `rest`.
  UPSWEEP_INLINE static vector load_first(T const* in, std::size_t n, vector rest) {
    for (std::size_t k = 0; k < n; ++k) rest[k] = in[k];
    return rest;
  }
  /// Puts the elements of a mask side by side, and writes nothing else.
  UPSWEEP_INLINE static void store_chosen(T* out, std::size_t, unsigned chosen, vector v) {
    for (int k = 0; k < count; ++k)
      if ((chosen >> k & 1u) != 0) *out++ = v[k];
  }

  /// Stores past the caches. `out` is aligned to a vector; drain() comes behind the last one.
  UPSWEEP_INLINE static void stream(T* out, vector v) {
#if defined(__SSE2__)
    _mm_stream_si128(reinterpret_cast<__m128i*>(out), (__m128i)v);
#else
    __builtin_memcpy(out, &v, sizeof v);
#endif
  }

  UPSWEEP_INLINE static void drain() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
  }
};

}  // namespace upsweep::internal
