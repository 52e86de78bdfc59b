// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// 32-byte vectors of AVX2. To be included where the target is set to it.

#include "inline.hpp"

#include <immintrin.h>

namespace upsweep::detail {

template <class T>
struct lanes_32 {
  typedef T vector __attribute__((vector_size(32)));
  static constexpr int count = 32 / sizeof(T);

  /// Elements count - Distance ... of `left` followed by `right`: every element moves Distance places up.
  template <int Distance>
  UPSWEEP_INLINE static vector shift(vector left, vector right) {
    constexpr int bytes = Distance * int(sizeof(T));
    __m256i const middle = _mm256_permute2x128_si256((__m256i)left, (__m256i)right, 0x21);
    if constexpr (bytes == 16) return (vector)middle;
    else return (vector)_mm256_alignr_epi8((__m256i)right, middle, 16 - bytes);
  }

  UPSWEEP_INLINE static void stream(T* out, vector v) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(out), (__m256i)v);
  }

  static void drain() { _mm_sfence(); }
};

}  // namespace upsweep::detail
