// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/pack/internal/key_order.hpp>
#include <upsweep/pack/sort_options.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace upsweep::mpi::detail {

/// The bits of a key that a sort compares, as an integer that ascends in the order of the sort.
template <class Key>
struct key_bits {
  internal::key_order<Key> order;
  int first;
  std::uint64_t mask;

  /// Without bits, or with more than a key has, which sorts refuse, all keys are equal.
  explicit key_bits(sort_options const& options) {
    using word = typename internal::key_order<Key>::word;
    order.flip = static_cast<word>(options.order == sort_order::descending ? ~word(0) : word(0));
    first = options.first_bit;
    int const last = options.last_bit == sort_options::all_bits ? 8 * static_cast<int>(sizeof(Key)) : options.last_bit;
    int const bits = last - first;
    mask = bits < 1 || bits > 64 ? 0 : ~std::uint64_t(0) >> (64 - bits);
    if (mask == 0) first = 0;  // a shift by all bits is not defined
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(Key const& key) const {
    return static_cast<std::uint64_t>(order(key)) >> first & mask;
  }
};

/// Number of keys of a rank, or of all, and what each and what any of them has of the bits that count.
struct key_range {
  std::uint64_t keys = 0;
  std::uint64_t in_all = ~std::uint64_t(0), in_any = 0;

  /// Bits from this one on are the same in all keys.
  int differing_bits() const { return static_cast<int>(std::bit_width(in_all ^ in_any)); }
  /// These bits.
  std::uint64_t common() const {
    int const bits = differing_bits();
    return bits == 64 ? 0 : in_all >> bits << bits;
  }
};

/// Bits that all keys have, and that any key has.
template <class Word>
struct shared_bits {
  Word in_all, in_any;
};
template <class Word>
struct share_bits {
  using value_type = shared_bits<Word>;
  KOKKOS_FUNCTION value_type identity() const { return {static_cast<Word>(~Word(0)), Word(0)}; }
  KOKKOS_FUNCTION value_type operator()(value_type const& a, value_type const& b) const {
    return {static_cast<Word>(a.in_all & b.in_all), static_cast<Word>(a.in_any | b.in_any)};
  }
};
template <class Keys>
struct load_bits {
  using key = typename Keys::non_const_value_type;
  using word = typename internal::key_order<key>::word;
  Keys keys;
  key_bits<key> bits;
  KOKKOS_FUNCTION shared_bits<word> operator()(std::int64_t i) const {
    auto const w = static_cast<word>(bits(keys(static_cast<std::size_t>(i))));
    return {w, w};
  }
};

}  // namespace upsweep::mpi::detail
