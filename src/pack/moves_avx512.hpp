// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Marked elements put side by side by vectors of AVX-512. To be included where the target is set to it.

#include "../base/vectors/avx512.hpp"
#include "move_table.hpp"

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Each vector is stored under a mask of as many elements as are chosen: nothing is written twice. Whole stores that
/// the next ones overwrite, with a bound, were no faster on an AMD EPYC 9004. Lines of the outputs are prefetched,
/// since stores under a mask wait for them: compact of 2^20 int32 / double on one core (Zen 5), 2026-11-28, us: 394 /
/// 696 without that, 239 / 527 with it; of 2^14 2.3 / 3.7 and 2.4 / 3.8.
template <class Word>
struct moves_avx512 {
  using vectors = internal::avx512<Word>;
  static constexpr unsigned lanes = vectors::count;

  /// The elements of v that are so marked.
  UPSWEEP_INLINE static void put(typename vectors::vector v, unsigned marked, Word*& to) {
    auto const count = static_cast<unsigned>(__builtin_popcount(marked));
    __builtin_prefetch(to + 16 * lanes, 1);
    vectors::store_chosen(to, count, marked, v);
    to += count;
  }
  template <bool Rest>
  UPSWEEP_INLINE static void move_vector(Word const* in, unsigned size, std::uint64_t bits, Word*& chosen,
                                         Word*& rest) {
    unsigned const present = _bzhi_u32(~0u, size), m = static_cast<unsigned>(bits) & present;
    auto const v = vectors::load_first(in, size);
    put(v, m, chosen);
    if constexpr (Rest) put(v, ~m & present, rest);
  }
  UPSWEEP_INLINE static void divide_vector(Word const* in, unsigned size, std::uint64_t bits, std::uint64_t others,
                                           Word*& chosen, Word*& second, Word*& rest) {
    unsigned const present = _bzhi_u32(~0u, size), m = static_cast<unsigned>(bits) & present,
                   o = static_cast<unsigned>(others) & present;
    auto const v = vectors::load_first(in, size);
    put(v, m, chosen);
    put(v, o, second);
    put(v, present & ~(m | o), rest);
  }
  template <bool Rest>
  UPSWEEP_INLINE static void move(Word const* in, std::size_t n, std::uint64_t const* words, Word* chosen, Word* rest) {
    move_vectors<Rest, moves_avx512>(in, n, words, chosen, rest);
  }
  UPSWEEP_INLINE static void divide(Word const* in, std::size_t n, std::uint64_t const* words,
                                    std::uint64_t const* others, Word* chosen, Word* second, Word* rest) {
    divide_vectors<moves_avx512>(in, n, words, others, chosen, second, rest);
  }
};

}  // namespace upsweep::pack::detail
