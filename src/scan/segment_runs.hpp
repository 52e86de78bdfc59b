// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Segmented scan of floating-point numbers in vectors of 32 bytes: eight runs at once, one in each lane, so that
// additions of one run do not wait for those of another, and each result is the strict left fold. Squares of elements,
// a row a run, are transposed, scanned down their columns, and transposed back. To be included where the target is set
// to AVX2 or more.
//
// 2^14 doubles / floats on an AMD EPYC 9004, us: steps of AVX2 4.6 / 3.2, of AVX-512 4.0 / 2.8. Tried for doubles and
// no better than the former: all eight runs in one vector of 64 bytes; than the latter: halves of two rows loaded into
// one vector, to spare shuffles.

#include "cpu_kernel_tables.hpp"
#include "inline.hpp"

#include <upsweep/scan/detail/cpu_segment_kernels.hpp>

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// One element of each run. Bit `k` of each lane of `heads` says whether it is a head; k < 8.
template <class T>
struct segment_step_avx2 {
  typedef T vector __attribute__((vector_size(32)));
  using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  typedef word words __attribute__((vector_size(32)));

  /// `row` becomes the results.
  template <bool Inclusive>
  UPSWEEP_INLINE static void step(words heads, int k, vector& row, vector& sum) {
    words const signs = heads << static_cast<word>(8 * sizeof(T) - 1 - static_cast<unsigned>(k));
    vector const next = choose(signs, row, sum + row);
    row = Inclusive ? next : choose(signs, vector{}, sum);
    sum = next;
  }

 private:
  /// `a` where the sign of `signs` is set, else `b`.
  UPSWEEP_INLINE static vector choose(words signs, vector a, vector b) {
    if constexpr (sizeof(T) == 4) return (vector)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)signs);
    else return (vector)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)signs);
  }
};

template <class T, template <class> class Step>
struct segment_runs {
  using vector = typename Step<T>::vector;
  using word = typename Step<T>::word;
  using words = typename Step<T>::words;
  using kernels = segment_run_kernels<T>;
  static constexpr int lanes = 32 / sizeof(T), runs = static_cast<int>(kernels::runs), groups = runs / lanes;

  struct square {
    vector row[lanes];
  };

  UPSWEEP_INLINE static void transpose(square& s) {
    if constexpr (lanes == 4) {
      vector const a = __builtin_shufflevector(s.row[0], s.row[1], 0, 4, 2, 6);
      vector const b = __builtin_shufflevector(s.row[0], s.row[1], 1, 5, 3, 7);
      vector const c = __builtin_shufflevector(s.row[2], s.row[3], 0, 4, 2, 6);
      vector const d = __builtin_shufflevector(s.row[2], s.row[3], 1, 5, 3, 7);
      s.row[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
      s.row[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
      s.row[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
      s.row[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
    } else {
      vector pair[8], four[8];
      UPSWEEP_UNROLL_PARTS
      for (int k = 0; k < 4; ++k) {
        pair[2 * k] = __builtin_shufflevector(s.row[2 * k], s.row[2 * k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pair[2 * k + 1] = __builtin_shufflevector(s.row[2 * k], s.row[2 * k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
      }
      UPSWEEP_UNROLL_PARTS
      for (int k = 0; k < 4; ++k) {  // from rows 0 to 3, then from rows 4 to 7
        int const from = k / 2 * 4 + k % 2;
        four[2 * k] = __builtin_shufflevector(pair[from], pair[from + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        four[2 * k + 1] = __builtin_shufflevector(pair[from], pair[from + 2], 2, 3, 10, 11, 6, 7, 14, 15);
      }
      UPSWEEP_UNROLL_PARTS
      for (int k = 0; k < 4; ++k) {
        s.row[k] = __builtin_shufflevector(four[k], four[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        s.row[k + 4] = __builtin_shufflevector(four[k], four[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
      }
    }
  }
  /// 32 bits from bit `at` on, and some more.
  UPSWEEP_INLINE static word bits_from(std::uint64_t const* heads, std::size_t at) {
    std::uint64_t bits;
    __builtin_memcpy(&bits, reinterpret_cast<char const*>(heads) + at / 8, sizeof bits);
    return static_cast<word>(bits >> (at % 8));
  }

  template <bool Inclusive>
  static void scan(T const* in, T* out, std::size_t const* begins, std::size_t length, T* sums,
                   std::uint64_t const* heads) {
    vector sum[groups];
    words ahead[groups] = {};
    __builtin_memcpy(sum, sums, sizeof sum);
    for (std::size_t i = 0; i < length; i += lanes) {
      if (i % 32 == 0) {
        word bits[runs];
        for (int r = 0; r < runs; ++r) bits[r] = bits_from(heads, begins[r] + i);
        __builtin_memcpy(ahead, bits, sizeof ahead);
      }
      UPSWEEP_UNROLL_ALL
      for (int g = 0; g < groups; ++g) {
        square s;
        UPSWEEP_UNROLL_ALL
        for (int r = 0; r < lanes; ++r) __builtin_memcpy(&s.row[r], in + begins[g * lanes + r] + i, sizeof(vector));
        transpose(s);
        UPSWEEP_UNROLL_ALL
        for (int k = 0; k < lanes; ++k) Step<T>::template step<Inclusive>(ahead[g], k, s.row[k], sum[g]);
        ahead[g] = ahead[g] >> static_cast<word>(lanes);
        transpose(s);
        UPSWEEP_UNROLL_ALL
        for (int r = 0; r < lanes; ++r) __builtin_memcpy(out + begins[g * lanes + r] + i, &s.row[r], sizeof(vector));
      }
    }
    __builtin_memcpy(sums, sum, sizeof sum);
  }

  static constexpr kernels table{{scan<false>, scan<true>}};
};

template <template <class> class Step, class T>
segment_run_kernels<T> const& run_kernels_of() noexcept {
  return segment_runs<T, Step>::table;
}

}  // namespace upsweep::scan::detail
