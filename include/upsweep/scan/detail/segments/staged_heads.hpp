// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/element_chunk.hpp>
#include <upsweep/scan/detail/problem/contiguous_bytes.hpp>
#include <upsweep/scan/detail/segments/segment_bits.hpp>
#include <upsweep/scan/detail/segments/segmented_sequences.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// Heads of a tile beside its values in a stage of the pipelined engine, as the hardware copies them: flags, keys or
/// bits. Rows of a matrix are counted. Other heads are not possible there.
///   bits_per_element  in the stage; 0 where heads.bits(first, count) counts them, and then no more is needed
///   lead              bytes in front of the tile's own that are copied, too, except for the first tile
///   sequence(heads)   what is copied
///   bits<Items>(...)  one bit per element of a thread: whether a segment starts there. Any bit will do for the input's
///                     first element, which is_first marks
template <class Heads>
struct staged_heads {
  static constexpr bool possible = false;
  static constexpr int bits_per_element = 0, lead = 0;
};

/// Keys or flags that a thread reads from a stage, in accesses as wide as its part of them allows.
template <class Mark, int Items, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_each_mark(unsigned char const* stage, int thread, Body const& body) {
  constexpr int bytes = Items * static_cast<int>(sizeof(Mark)), part = bytes & -bytes, access = part < 16 ? part : 16;
  if constexpr (access >= 4) {
    using chunk = internal::element_chunk<static_cast<int>(sizeof(Mark)), access>;
    auto const* const from = reinterpret_cast<chunk const*>(stage + thread * bytes);
    UPSWEEP_UNROLL
    for (int r = 0; r < bytes / access; ++r) {
      chunk const c = from[r];
      UPSWEEP_UNROLL
      for (int k = 0; k < chunk::size; ++k) body(r * chunk::size + k, c.template take<Mark>(k));
    }
  } else {
    UPSWEEP_UNROLL
    for (int k = 0; k < Items; ++k) body(k, reinterpret_cast<Mark const*>(stage)[thread * Items + k]);
  }
}

template <class Mark>
inline constexpr bool is_staged_mark = (std::is_trivially_copyable_v<Mark> && std::is_default_constructible_v<Mark> &&
                                        std::has_single_bit(sizeof(Mark)) && sizeof(Mark) <= 8);

template <class Mark>
  requires is_staged_mark<Mark>
struct staged_heads<flag_heads<internal::contiguous_sequence<Mark const>>> {
  using heads_type = flag_heads<internal::contiguous_sequence<Mark const>>;
  static constexpr bool possible = true;
  static constexpr int bits_per_element = 8 * static_cast<int>(sizeof(Mark)), lead = 0;

  KOKKOS_FORCEINLINE_FUNCTION static auto const& sequence(heads_type const& heads) { return heads.flags; }
  template <int Items>
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t bits(heads_type const&, unsigned char const* stage, int thread,
                                                        bool) {
    std::uint32_t found = 0;
    for_each_mark<Mark, Items>(stage, thread, [&](int k, Mark flag) {
      if (static_cast<bool>(flag)) found |= 1u << k;
    });
    return found;
  }
};

/// The key before the tile's first one is in the lead.
template <class Key, class Equal>
  requires is_staged_mark<Key>
struct staged_heads<key_heads<internal::contiguous_sequence<Key const>, Equal>> {
  using heads_type = key_heads<internal::contiguous_sequence<Key const>, Equal>;
  static constexpr bool possible = true;
  /// As many bytes as the hardware copies at once: what it copies stays aligned to them.
  static constexpr int bits_per_element = 8 * static_cast<int>(sizeof(Key)), lead = 128;

  KOKKOS_FORCEINLINE_FUNCTION static auto const& sequence(heads_type const& heads) { return heads.keys; }
  template <int Items>
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t bits(heads_type const& heads, unsigned char const* stage, int thread,
                                                        bool is_first) {
    std::uint32_t found = 0;
    Key left = reinterpret_cast<Key const*>(stage)[thread * Items - (is_first ? 0 : 1)];
    for_each_mark<Key, Items>(stage, thread, [&](int k, Key const& own) {
      if (!heads.equal(left, own)) found |= 1u << k;
      left = own;
    });
    return found;
  }
};

template <>
struct staged_heads<bit_heads> {
  static constexpr bool possible = true;
  static constexpr int bits_per_element = 1, lead = 0;

  KOKKOS_FORCEINLINE_FUNCTION static auto const& sequence(bit_heads const& heads) { return heads.words; }
  template <int Items>
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t bits(bit_heads const&, unsigned char const* stage, int thread,
                                                        bool) {
    return bits_of_stretch<Items>(reinterpret_cast<std::uint32_t const*>(stage), thread * Items);
  }
};

}  // namespace upsweep::scan::detail
