// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Marked elements put side by side by vectors of AVX2. To be included where the target is set to it.

#include "../base/x86_intrinsics.hpp"
#include "move_table.hpp"

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// For each mask the numbers of its elements' 32-bit lanes, a byte each, in order.
template <class Word>
struct lane_numbers {
  static constexpr unsigned lanes = 32 / sizeof(Word), parts = sizeof(Word) / 4;
  std::uint64_t of[1u << lanes];

  constexpr lane_numbers() : of{} {
    for (unsigned m = 0; m < 1u << lanes; ++m) {
      unsigned at = 0;
      for (unsigned k = 0; k < lanes * parts; ++k)
        if ((m >> (k / parts) & 1u) != 0) of[m] |= std::uint64_t(k) << (8 * at++);
    }
  }
};

/// Each vector is permuted and stored whole, as long as there is room for that in its part; the next store overwrites
/// what is too much.
template <class Word>
struct moves_avx2 {
  static constexpr unsigned lanes = 32 / sizeof(Word), all = (1u << lanes) - 1;
  static constexpr lane_numbers<Word> numbers{};

  /// The first `count` elements.
  UPSWEEP_INLINE static __m256i first(std::size_t count) {
    __m256i const number =
        sizeof(Word) == 4 ? _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7) : _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), number);
  }
  UPSWEEP_INLINE static __m256i load(Word const* in, std::size_t count) {
    if (count == lanes) return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(in));
    return _mm256_maskload_epi32(reinterpret_cast<int const*>(in), first(count));
  }
  /// The elements of a mask at out, which has room up to end.
  UPSWEEP_INLINE static void store(Word* out, Word const* end, unsigned mask, __m256i v) {
    __m128i const bytes = _mm_cvtsi64_si128(static_cast<long long>(numbers.of[mask]));
    __m256i const packed = _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(bytes));
    auto const room = static_cast<std::size_t>(end - out);
    if (room >= lanes) _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), packed);
    else _mm256_maskstore_epi32(reinterpret_cast<int*>(out), first(room), packed);
  }
  UPSWEEP_INLINE static std::size_t count(std::size_t n, std::uint64_t const* words) {
    std::size_t sum = 0;
    for (; n >= 64; n -= 64) sum += static_cast<std::size_t>(__builtin_popcountll(*words++));
    if (n > 0) sum += static_cast<std::size_t>(__builtin_popcountll(*words << (64 - n)));
    return sum;
  }

  /// Where a part goes, and its end.
  struct part {
    Word* at;
    Word const* end;
  };
  template <bool Rest>
  UPSWEEP_INLINE static void move_vector(Word const* in, unsigned size, std::uint64_t bits, part& chosen, part& rest) {
    unsigned const present = (1u << size) - 1, m = static_cast<unsigned>(bits) & present;
    auto const here = static_cast<unsigned>(__builtin_popcount(m));
    __m256i const v = load(in, size);
    store(chosen.at, chosen.end, m, v);
    chosen.at += here;
    if constexpr (Rest) {
      store(rest.at, rest.end, present & ~m, v);
      rest.at += size - here;
    }
  }
  template <bool Rest>
  UPSWEEP_INLINE static void move(Word const* in, std::size_t n, std::uint64_t const* words, Word* chosen, Word* rest) {
    std::size_t const found = count(n, words);
    part front{chosen, chosen + found}, back{rest, Rest ? rest + (n - found) : nullptr};
    move_vectors<Rest, moves_avx2>(in, n, words, front, back);
  }
};

}  // namespace upsweep::pack::detail
