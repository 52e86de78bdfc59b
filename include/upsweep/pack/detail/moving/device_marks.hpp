// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/pack/detail/moving/element_marks.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

// How a GPU marks and moves elements (marks.hpp).

/// Writes the masks, 8 bits of each: part_of(i) is in 0 ... Parts - 1. The masks' last words are filled up with zeros.
template <int Parts, class PartOf>
struct mark_kernel {
  PartOf part_of;
  element_marks<Parts> marks;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const byte = static_cast<std::size_t>(k);
    unsigned bits[Parts - 1] = {};
    for (unsigned b = 0; b < 8; ++b) {
      std::size_t const i = byte * 8 + b;
      if (i >= marks.n) break;
      int const p = part_of(i);
      UPSWEEP_UNROLL
      for (int q = 0; q < Parts - 1; ++q) bits[q] |= static_cast<unsigned>(p == q) << b;
    }
    // Bit i % 64 of a word is element i on machines of either byte order.
    std::size_t const place = std::endian::native == std::endian::little ? byte : byte ^ 7u;
    UPSWEEP_UNROLL
    for (int q = 0; q < Parts - 1; ++q)
      reinterpret_cast<unsigned char*>(marks.words[q])[place] = static_cast<unsigned char>(bits[q]);
  }
};

/// Gives elements to sink(i, part, place in the part), one element per thread; sink.finish(marks) is called once.
/// Sink::first_only: it wants the elements of part 0 alone.
template <int Parts, class Sink>
struct move_elements {
  Sink sink;
  element_marks<Parts> marks;

  std::size_t threads() const { return std::max<std::size_t>(1, marks.n); }

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    if (k == 0) sink.finish(marks);
    if (marks.n == 0) return;
    auto const i = static_cast<std::size_t>(k);
    std::size_t const group = i / mask_word_bits;
    auto const bit = static_cast<unsigned>(i % mask_word_bits);
    std::uint64_t place = i;  // in the last part: all that are not in another one
    UPSWEEP_UNROLL
    for (int p = 0; p < Parts - 1; ++p) {
      std::uint64_t const word = marks.words[p][group];
      bool const is_mine = (word >> bit & 1u) != 0;
      if (Sink::first_only && !is_mine) return;
      std::uint64_t const before = marks.before(p, group) + popcount(word & bits_below(bit));
      if (is_mine) return sink(i, p, before);
      place -= before;
    }
    if constexpr (!Sink::first_only) sink(i, Parts - 1, place);
  }
};

}  // namespace upsweep::pack::detail
