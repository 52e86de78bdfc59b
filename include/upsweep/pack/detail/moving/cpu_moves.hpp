// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/contiguous_sequence.hpp>
#include <upsweep/base/internal/cpu/instruction_set.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

// Marked elements of 4 and 8 bytes moved to their parts, compiled in src/pack for AVX2 and AVX-512. Bit k % 64 of
// words[k / 64] says whether element k is chosen.

template <class Word>
struct move_kernels {
  /// Chosen ones of n elements to `chosen`, the others to `rest`, in their order. `chosen` may lie in the input's
  /// memory, not behind its first element. Nothing else is written.
  void (*split)(Word const* in, std::size_t n, std::uint64_t const* words, Word* chosen, Word* rest);
  /// The same without the others.
  void (*choose)(Word const* in, std::size_t n, std::uint64_t const* words, Word* chosen);
  /// Three parts, the second of which `others` says; none is in both. The outputs lie apart from the input.
  void (*divide)(Word const* in, std::size_t n, std::uint64_t const* words, std::uint64_t const* others, Word* chosen,
                 Word* second, Word* rest);
};

/// Null where there are none. Word: std::uint32_t, std::uint64_t.
template <class Word>
move_kernels<Word> const* move_kernels_for(internal::instruction_set) noexcept UPSWEEP_NULL_WITHOUT_CPU_KERNELS

    /// Whether such kernels can move elements from one sequence to another.
    template <class From, class To>
    inline constexpr bool has_move_kernels = false;
template <class T, class To>
inline constexpr bool has_move_kernels<internal::contiguous_sequence<T>, internal::contiguous_sequence<To>> =
    (std::is_same_v<std::remove_const_t<T>, To> && std::is_trivially_copyable_v<To> &&
     (sizeof(To) == 4 || sizeof(To) == 8));

/// What these kernels move, and where to. Without `rest` the others are left out.
template <class Word>
struct plain_move {
  bool is_possible;  ///< false where an output is too short
  Word const* in;    ///< null: each element is its index
  Word *chosen, *rest;
  Word* second = nullptr;         ///< of three parts
  bool rest_is_reversed = false;  ///< the rest is stored in front of `rest`, backwards
};
template <class T>
using word_of_size = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// A sequence's memory as words.
template <class T>
auto* words_of(internal::contiguous_sequence<T> const& elements) {
  using word = word_of_size<T>;
  return reinterpret_cast<std::conditional_t<std::is_const_v<T>, word const, word>*>(elements.data);
}

template <class From, class To>
auto make_plain_move(From const& in, To const& chosen) {
  using word = word_of_size<typename To::value_type>;
  word const* from = nullptr;
  if constexpr (requires { words_of(in); }) from = words_of(in);
  return plain_move<word>{true, from, words_of(chosen), nullptr};
}

}  // namespace upsweep::pack::detail
