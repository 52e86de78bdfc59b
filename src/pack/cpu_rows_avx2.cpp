// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "cpu_kernel_tables.hpp"

#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)

#include "../base/target.hpp"
#include "../scan/inline.hpp"

#include "../base/x86_intrinsics.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

UPSWEEP_TARGET("avx2,popcnt")

#include "moves_avx2.hpp"
#include "row_network.hpp"

namespace upsweep::pack::detail {

template <class T>
struct row_vectors_avx2 {
  typedef T vector __attribute__((vector_size(32)));
  static constexpr int count = 32 / sizeof(T);
  using moves = moves_avx2<word_of_size<T>>;

  /// One bit for each element: whether it differs from the one before, which is the last of `left` for the first.
  UPSWEEP_INLINE static std::uint64_t heads(vector left, vector v) {
    __m256i const middle = _mm256_permute2x128_si256((__m256i)left, (__m256i)v, 0x21);
    __m256i const before = _mm256_alignr_epi8((__m256i)v, middle, 16 - static_cast<int>(sizeof(T)));
    if constexpr (sizeof(T) == 4)
      return 0xffu ^ static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)_mm256_cmpeq_epi32((__m256i)v, before)));
    else return 0xfu ^ static_cast<std::uint32_t>(_mm256_movemask_pd((__m256d)_mm256_cmpeq_epi64((__m256i)v, before)));
  }
  UPSWEEP_INLINE static vector first(T const* in, std::size_t n, vector rest) {
    using word = word_of_size<T>;
    __m256i const loaded = moves::load(reinterpret_cast<word const*>(in), n);
    return (vector)_mm256_blendv_epi8((__m256i)rest, loaded, moves::first(n));
  }
  UPSWEEP_INLINE static void put(T* out, unsigned chosen, unsigned count, vector v) {
    using word = word_of_size<T>;
    auto* const to = reinterpret_cast<word*>(out);
    moves::store(to, to + count, chosen, (__m256i)v);
  }
};

UPSWEEP_ROWS_OF(row_vectors_avx2)

}  // namespace upsweep::pack::detail

UPSWEEP_TARGET_END

#endif
