// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The kernels of detail/moving/cpu_moves.hpp over Moves<Word>::move. To be included where the target is set.

#include "../base/vectors/inline.hpp"
#include "cpu_kernel_tables.hpp"

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Vector by vector, the last one in part. `chosen` and `rest` say where the next elements of the two go.
template <bool Rest, class Moves, class Word, class Part>
UPSWEEP_INLINE void move_vectors(Word const* in, std::size_t n, std::uint64_t const* words, Part& chosen, Part& rest) {
  constexpr unsigned lanes = Moves::lanes;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    Moves::template move_vector<Rest>(in + i, lanes, words[i / 64] >> (i % 64), chosen, rest);
  if (i < n)
    Moves::template move_vector<Rest>(in + i, static_cast<unsigned>(n - i), words[i / 64] >> (i % 64), chosen, rest);
}

/// The same in three parts.
template <class Moves, class Word, class Part>
UPSWEEP_INLINE void divide_vectors(Word const* in, std::size_t n, std::uint64_t const* words,
                                   std::uint64_t const* others, Part& chosen, Part& second, Part& rest) {
  constexpr unsigned lanes = Moves::lanes;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    Moves::divide_vector(in + i, lanes, words[i / 64] >> (i % 64), others[i / 64] >> (i % 64), chosen, second, rest);
  if (i < n)
    Moves::divide_vector(in + i, static_cast<unsigned>(n - i), words[i / 64] >> (i % 64), others[i / 64] >> (i % 64),
                         chosen, second, rest);
}

template <template <class> class Moves, class Word>
struct move_table {
  static void split(Word const* in, std::size_t n, std::uint64_t const* words, Word* chosen, Word* rest) {
    Moves<Word>::template move<true>(in, n, words, chosen, rest);
  }
  static void choose(Word const* in, std::size_t n, std::uint64_t const* words, Word* chosen) {
    Moves<Word>::template move<false>(in, n, words, chosen, nullptr);
  }
  static void divide(Word const* in, std::size_t n, std::uint64_t const* words, std::uint64_t const* others,
                     Word* chosen, Word* second, Word* rest) {
    Moves<Word>::divide(in, n, words, others, chosen, second, rest);
  }
  static constexpr move_kernels<Word> table{split, choose, divide};
};

template <template <class> class Moves, class Word>
move_kernels<Word> const& moves_of() noexcept {
  return move_table<Moves, Word>::table;
}

}  // namespace upsweep::pack::detail

#define UPSWEEP_MOVES_OF(moves)                                                          \
  template move_kernels<std::uint32_t> const& moves_of<moves, std::uint32_t>() noexcept; \
  template move_kernels<std::uint64_t> const& moves_of<moves, std::uint64_t>() noexcept;
