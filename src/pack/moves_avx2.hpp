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
  /// The elements of v that are so marked.
  UPSWEEP_INLINE static void put(typename vectors::vector v, unsigned marked, part& to) {
    vectors::store_chosen(to.at, static_cast<std::size_t>(to.end - to.at), marked, v);
    to.at += __builtin_popcount(marked);
  }
  template <bool Rest>
  UPSWEEP_INLINE static void move_vector(Word const* in, unsigned size, std::uint64_t bits, part& chosen, part& rest) {
    unsigned const present = (1u << size) - 1, m = static_cast<unsigned>(bits) & present;
    auto const v = vectors::load_first(in, size);
    put(v, m, chosen);
    if constexpr (Rest) put(v, present & ~m, rest);
  }
  UPSWEEP_INLINE static void divide_vector(Word const* in, unsigned size, std::uint64_t bits, std::uint64_t others,
                                           part& chosen, part& second, part& rest) {
    unsigned const present = (1u << size) - 1, m = static_cast<unsigned>(bits) & present,
                   o = static_cast<unsigned>(others) & present;
    auto const v = vectors::load_first(in, size);
    put(v, m, chosen);
    put(v, o, second);
    put(v, present & ~(m | o), rest);
  }
  template <bool Rest>
  UPSWEEP_INLINE static void move(Word const* in, std::size_t n, std::uint64_t const* words, Word* chosen, Word* rest) {
    std::size_t const found = count(n, words);
    part front{chosen, chosen + found}, back{rest, Rest ? rest + (n - found) : nullptr};
    move_vectors<Rest, moves_avx2>(in, n, words, front, back);
  }
  UPSWEEP_INLINE static void divide(Word const* in, std::size_t n, std::uint64_t const* words,
                                    std::uint64_t const* others, Word* chosen, Word* second, Word* rest) {
    std::size_t const first = count(n, words), middle = count(n, others);
    part a{chosen, chosen + first}, b{second, second + middle}, c{rest, rest + (n - first - middle)};
    divide_vectors<moves_avx2>(in, n, words, others, a, b, c);
  }
};

}  // namespace upsweep::pack::detail
