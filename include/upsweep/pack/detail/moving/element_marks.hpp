// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/internal/part_counts.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

/// Elements of a word of marks.
inline constexpr std::size_t mask_word_bits = 64;

/// Ones below bit k. Pre: k < 64.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t bits_below(unsigned k) { return (std::uint64_t(1) << k) - 1; }
KOKKOS_FORCEINLINE_FUNCTION unsigned popcount(std::uint64_t word) {
  return static_cast<unsigned>(Kokkos::Experimental::popcount_builtin(word));
}
/// Pre: word != 0.
KOKKOS_FORCEINLINE_FUNCTION unsigned lowest_set_bit(std::uint64_t word) {
  return static_cast<unsigned>(Kokkos::Experimental::countr_zero_builtin(word));
}
KOKKOS_FORCEINLINE_FUNCTION unsigned highest_set_bit(std::uint64_t word) {
  return 63u - static_cast<unsigned>(Kokkos::Experimental::countl_zero_builtin(word));
}

/// The masks of all parts but the last one, to which every element without a mark belongs: one bit per element, and how
/// many there are before each group and in all.
template <int Parts>
struct element_marks {
  static constexpr int masks = Parts - 1;
  /// What is scanned: a plain number where that is enough, which engines have their best kernels for.
  using counted = std::conditional_t<masks == 1, std::uint64_t, internal::part_counts<masks>>;
  using monoid = std::conditional_t<masks == 1, plus<std::uint64_t>, internal::add_counts<masks>>;
  std::uint64_t* words[masks];
  std::uint64_t* prefixes;  ///< a number a mask, for each group
  std::uint64_t* totals;    ///< a number a mask
  std::size_t n;

  KOKKOS_FUNCTION std::uint64_t before(int p, std::size_t group) const {
    return prefixes[group * masks + static_cast<std::size_t>(p)];
  }
  KOKKOS_FUNCTION std::uint64_t count(int p) const {
    if (p < masks) return totals[p];
    std::uint64_t rest = n;
    for (int q = 0; q < masks; ++q) rest -= totals[q];
    return rest;
  }
};

}  // namespace upsweep::pack::detail
