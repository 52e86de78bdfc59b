// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Marked elements put side by side by vectors of AVX-512. To be included where the target is set to it.

#include "../base/x86_intrinsics.hpp"
#include "move_table.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

/// Each vector is compressed in a register and stored under a mask of as many elements: nothing is written twice, and
/// AMD's slow compression to memory is avoided. Whole stores that the next ones overwrite, with a bound, were no faster
/// on an AMD EPYC 9004.
template <class Word>
struct moves_avx512 {
  static constexpr unsigned lanes = 64 / sizeof(Word);
  using mask = std::conditional_t<sizeof(Word) == 4, __mmask16, __mmask8>;

  UPSWEEP_INLINE static __m512i load(Word const* in, mask m) {
    if constexpr (sizeof(Word) == 4) return _mm512_maskz_loadu_epi32(m, in);
    else return _mm512_maskz_loadu_epi64(m, in);
  }
  /// The elements of a mask, of which there are `count`, side by side.
  UPSWEEP_INLINE static void store(Word* out, mask m, unsigned count, __m512i v) {
    mask const first = static_cast<mask>(_bzhi_u32(~0u, count));
    if constexpr (sizeof(Word) == 4) _mm512_mask_storeu_epi32(out, first, _mm512_maskz_compress_epi32(m, v));
    else _mm512_mask_storeu_epi64(out, first, _mm512_maskz_compress_epi64(m, v));
  }

  template <bool Rest>
  UPSWEEP_INLINE static void move_vector(Word const* in, unsigned size, std::uint64_t bits, Word*& chosen,
                                         Word*& rest) {
    unsigned const present = _bzhi_u32(~0u, size), m = static_cast<unsigned>(bits) & present;
    auto const count = static_cast<unsigned>(__builtin_popcount(m));
    __m512i const v = load(in, static_cast<mask>(present));
    store(chosen, static_cast<mask>(m), count, v);
    chosen += count;
    if constexpr (Rest) {
      store(rest, static_cast<mask>(~m & present), size - count, v);
      rest += size - count;
    }
  }
  template <bool Rest>
  UPSWEEP_INLINE static void move(Word const* in, std::size_t n, std::uint64_t const* words, Word* chosen, Word* rest) {
    move_vectors<Rest, moves_avx512>(in, n, words, chosen, rest);
  }
};

}  // namespace upsweep::pack::detail
