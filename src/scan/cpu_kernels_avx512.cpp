// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "cpu_kernel_tables.hpp"

#include "../base/avx512_intrinsics.hpp"
#include "../base/target.hpp"

#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

UPSWEEP_TARGET("avx512f,avx512dq,avx512bw,avx512vl")

#include "lanes_64.hpp"
#include "window_scan.hpp"

#include "head_words.hpp"
#include "segment_runs.hpp"
#include "segment_windows.hpp"

namespace upsweep::scan::detail {

/// Folds with AVX2: they gain nothing from longer vectors, and loads of whole lines are slower where lines come from
/// memory. 16 MB of doubles on one thread of an AMD EPYC 9004, us: 717 with 64-byte loads, 628 with 32-byte loads, 621
/// std::reduce of as many int64. Prefetches ahead were no better.
template <class T, cpu_operation Operation>
inline constexpr cpu_kernels<T> table_of<T, lanes_64, Operation> = [] {
  cpu_kernels<T> kernels = window_scan<T, lanes_64, Operation>::table;
  kernels.fold = avx2_fold<T, Operation>;
  return kernels;
}();

/// As segment_step_avx2, with a mask a bit, under which one instruction adds.
template <class T>
struct segment_step_avx512 {
  using vector = typename segment_step_avx2<T>::vector;
  using word = typename segment_step_avx2<T>::word;
  using words = typename segment_step_avx2<T>::words;

  template <bool Inclusive>
  UPSWEEP_INLINE static void step(words heads, int k, vector& row, vector& sum) {
    if constexpr (sizeof(T) == 4) {
      __mmask8 const goes_on = _mm256_testn_epi32_mask((__m256i)heads, _mm256_set1_epi32(1 << k));
      vector const next = (vector)_mm256_mask_add_ps((__m256)row, goes_on, (__m256)sum, (__m256)row);
      row = Inclusive ? next : (vector)_mm256_maskz_mov_ps(goes_on, (__m256)sum);
      sum = next;
    } else {
      __mmask8 const goes_on = _mm256_testn_epi64_mask((__m256i)heads, _mm256_set1_epi64x(1 << k));
      vector const next = (vector)_mm256_mask_add_pd((__m256d)row, goes_on, (__m256d)sum, (__m256d)row);
      row = Inclusive ? next : (vector)_mm256_maskz_mov_pd(goes_on, (__m256d)sum);
      sum = next;
    }
  }
};

UPSWEEP_ALL_KERNELS_OF(lanes_64, segment_step_avx512)

}  // namespace upsweep::scan::detail

UPSWEEP_TARGET_END

#endif
