// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "cpu_kernel_tables.hpp"

#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)

#include "../base/x86_intrinsics.hpp"
#include "../base/target.hpp"
#include "../scan/inline.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

UPSWEEP_TARGET("avx512f,avx512dq,avx512bw,avx512vl,bmi2,popcnt")

#include "moves_avx512.hpp"
#include "row_network.hpp"

namespace upsweep::pack::detail {

template <class T>
struct row_vectors_avx512 {
  typedef T vector __attribute__((vector_size(64)));
  static constexpr int count = 64 / sizeof(T);
  using moves = moves_avx512<word_of_size<T>>;

  /// One bit for each element: whether it differs from the one before, which is the last of `left` for the first.
  UPSWEEP_INLINE static std::uint64_t heads(vector left, vector v) {
    if constexpr (sizeof(T) == 4)
      return _mm512_cmpneq_epi32_mask((__m512i)v, _mm512_alignr_epi32((__m512i)v, (__m512i)left, count - 1));
    else return _mm512_cmpneq_epi64_mask((__m512i)v, _mm512_alignr_epi64((__m512i)v, (__m512i)left, count - 1));
  }
  UPSWEEP_INLINE static vector first(T const* in, std::size_t n, vector rest) {
    unsigned const bits = _bzhi_u32(~0u, static_cast<unsigned>(n));
    if constexpr (sizeof(T) == 4)
      return (vector)_mm512_mask_loadu_epi32((__m512i)rest, static_cast<__mmask16>(bits), in);
    else return (vector)_mm512_mask_loadu_epi64((__m512i)rest, static_cast<__mmask8>(bits), in);
  }
  UPSWEEP_INLINE static void put(T* out, unsigned chosen, unsigned count, vector v) {
    using word = word_of_size<T>;
    moves::store(reinterpret_cast<word*>(out), static_cast<typename moves::mask>(chosen), count, (__m512i)v);
  }
};

UPSWEEP_ROWS_OF(row_vectors_avx512)

}  // namespace upsweep::pack::detail

UPSWEEP_TARGET_END

#endif
