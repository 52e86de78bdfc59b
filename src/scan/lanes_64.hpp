// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// 64-byte vectors of AVX-512. To be included where the target is set to it.

#include "inline.hpp"

#include <immintrin.h>

namespace upsweep::detail {

template <class T>
struct lanes_64 {
  typedef T vector __attribute__((vector_size(64)));
  static constexpr int count = 64 / sizeof(T);

  /// Elements count - Distance ... of `left` followed by `right`: every element moves Distance places up.
  template <int Distance>
  UPSWEEP_INLINE static vector shift(vector left, vector right) {
    if constexpr (sizeof(T) == 4) return (vector)_mm512_alignr_epi32((__m512i)right, (__m512i)left, count - Distance);
    else return (vector)_mm512_alignr_epi64((__m512i)right, (__m512i)left, count - Distance);
  }

  UPSWEEP_INLINE static void stream(T* out, vector v) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(out), (__m512i)v);
  }

  static void drain() { _mm_sfence(); }
};

}  // namespace upsweep::detail
