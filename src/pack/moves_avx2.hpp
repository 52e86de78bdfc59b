// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Marked elements put side by side by vectors of AVX2. To be included where the target is set to it.

#include "../base/vectors/avx2.hpp"
#include "move_table.hpp"

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Each vector is permuted and stored whole, as long as there is room for that in its part; the next store overwrites
/// what is too much.
template <class Word>
struct moves_avx2 {
  using vectors = internal::avx2<Word>;
  static constexpr unsigned lanes = vectors::count;

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
    auto const v = vectors::load_first(in, size);
    vectors::store_chosen(chosen.at, static_cast<std::size_t>(chosen.end - chosen.at), m, v);
    chosen.at += here;
    if constexpr (Rest) {
      vectors::store_chosen(rest.at, static_cast<std::size_t>(rest.end - rest.at), present & ~m, v);
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
