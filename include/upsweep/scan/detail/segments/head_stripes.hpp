// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/element_chunk.hpp>
#include <upsweep/scan/detail/segments/segmented_sequences.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// One bit for each element of a lane's part of a round (striped_tile.hpp), from element `begin` of the run on: whether
/// a segment starts there.
/// The run begins at element `first` of the input and has `length` ones; bits of others are 0.
template <int PerRound, bool Whole, class Heads>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t heads_of_round(Heads const& heads, std::size_t first, int begin, int length) {
  std::uint32_t bits = 0;
  UPSWEEP_UNROLL
  for (int k = 0; k < PerRound; ++k) {
    if ((Whole || begin + k < length) && heads.at(first + static_cast<std::size_t>(begin + k))) bits |= 1u << k;
  }
  return bits;
}

/// Where segments start in the run of a warp, for striped_tile.hpp's rounds. This one asks at each element, when it is
/// needed; those below load ahead, together with the elements.
template <class Heads, int PerRound, int Rounds, class Lanes>
struct head_stripes {
  /// Whether load<true>() may be called, as far as the heads have a say.
  static bool goes_by_chunks(Heads const&) { return true; }

  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void load(Heads const&, std::size_t, int, int) {}

  /// The bits of round r, as heads_of_round() has them. To be called in the order of the rounds, by all lanes.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bits(Heads const& heads, std::size_t first, int length, int r, int lane) {
    return heads_of_round<PerRound, Whole>(heads, first, (r * Lanes::size + lane) * PerRound, length);
  }
};

/// Keys or flags, one per element, as a lane holds them: PerRound of them side by side are one access.
template <class Mark, int PerRound, int Rounds, class Lanes>
struct mark_rows {
  static constexpr int slot = static_cast<int>(sizeof(Mark));
  using chunk = internal::element_chunk<slot, slot * PerRound>;
  chunk held[Rounds] = {};

  static bool goes_by_chunks(internal::contiguous_sequence<Mark const> const& marks) {
    return reinterpret_cast<std::uintptr_t>(marks.data) % alignof(chunk) == 0;
  }

  /// Pre: length > 0.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void load(internal::contiguous_sequence<Mark const> const& marks, std::size_t first,
                                        int length, int lane) {
    if constexpr (Whole) {
      auto const* const from = reinterpret_cast<chunk const*>(marks.data + first) + lane;
      UPSWEEP_UNROLL
      for (int r = 0; r < Rounds; ++r) held[r] = from[r * Lanes::size];
    } else {
      UPSWEEP_UNROLL
      for (int r = 0; r < Rounds; ++r) {
        UPSWEEP_UNROLL
        for (int k = 0; k < PerRound; ++k) {
          // Marks that are not there: the last one again, so that no load waits for a branch.
          int const at = Kokkos::min((r * Lanes::size + lane) * PerRound + k, length - 1);
          held[r].put(k, marks.load(first + static_cast<std::size_t>(at)));
        }
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION Mark take(int r, int k) const { return held[r].template take<Mark>(k); }
};

/// A lane's marks of a round are 16 bytes at most: they are in registers beside the values, for which a tile's
/// shape is chosen.
template <class Mark, int PerRound>
inline constexpr bool has_mark_rows =
    (std::is_trivially_copyable_v<Mark> && std::is_trivially_default_constructible_v<Mark> &&
     std::has_single_bit(sizeof(Mark)) && sizeof(Mark) * PerRound % 4 == 0 && sizeof(Mark) * PerRound <= 16);

template <class Mark, int PerRound, int Rounds, class Lanes>
  requires has_mark_rows<Mark, PerRound>
struct head_stripes<flag_heads<internal::contiguous_sequence<Mark const>>, PerRound, Rounds, Lanes> {
  using heads_type = flag_heads<internal::contiguous_sequence<Mark const>>;
  mark_rows<Mark, PerRound, Rounds, Lanes> flags;

  static bool goes_by_chunks(heads_type const& heads) { return flags_type::goes_by_chunks(heads.flags); }
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void load(heads_type const& heads, std::size_t first, int length, int lane) {
    flags.template load<Whole>(heads.flags, first, length, lane);
  }
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bits(heads_type const&, std::size_t first, int length, int r,
                                                 int lane) const {
    int const begin = (r * Lanes::size + lane) * PerRound;
    std::uint32_t bits = first == 0 && begin == 0 ? 1u : 0u;
    UPSWEEP_UNROLL
    for (int k = 0; k < PerRound; ++k) {
      if ((Whole || begin + k < length) && static_cast<bool>(flags.take(r, k))) bits |= 1u << k;
    }
    return bits;
  }

 private:
  using flags_type = mark_rows<Mark, PerRound, Rounds, Lanes>;
};

/// A lane compares its keys with each other, and the first one with the last one of the lane before.
template <class Key, class Equal, int PerRound, int Rounds, class Lanes>
  requires has_mark_rows<Key, PerRound>
struct head_stripes<key_heads<internal::contiguous_sequence<Key const>, Equal>, PerRound, Rounds, Lanes> {
  using heads_type = key_heads<internal::contiguous_sequence<Key const>, Equal>;
  mark_rows<Key, PerRound, Rounds, Lanes> keys;
  Key before = {};  ///< lane 0: the key before the next round

  static bool goes_by_chunks(heads_type const& heads) { return keys_type::goes_by_chunks(heads.keys); }
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void load(heads_type const& heads, std::size_t first, int length, int lane) {
    keys.template load<Whole>(heads.keys, first, length, lane);
    before = heads.keys.load(first > 0 ? first - 1 : 0);
  }
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bits(heads_type const& heads, std::size_t first, int length, int r,
                                                 int lane) {
    int const begin = (r * Lanes::size + lane) * PerRound;
    Key const turned = Lanes::shuffle(keys.take(r, PerRound - 1), (lane + Lanes::size - 1) % Lanes::size);
    Key left = lane == 0 ? before : turned;
    before = turned;
    std::uint32_t bits = 0;
    UPSWEEP_UNROLL
    for (int k = 0; k < PerRound; ++k) {
      Key const own = keys.take(r, k);
      bool const is_first = k == 0 && first == 0 && begin == 0;
      if ((Whole || begin + k < length) && (is_first || !heads.equal(left, own))) bits |= 1u << k;
      left = own;
    }
    return bits;
  }

 private:
  using keys_type = mark_rows<Key, PerRound, Rounds, Lanes>;
};

/// Lanes whose elements are in the same word load it together. Runs begin at multiples of 32 elements.
template <int PerRound, int Rounds, class Lanes>
  requires(PerRound <= 32 && 32 % PerRound == 0)
struct head_stripes<bit_heads, PerRound, Rounds, Lanes> {
  static_assert(Lanes::size % 32 == 0);
  std::uint32_t word[Rounds] = {};

  static bool goes_by_chunks(bit_heads const&) { return true; }
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void load(bit_heads const& heads, std::size_t first, int length, int lane) {
    UPSWEEP_UNROLL
    for (int r = 0; r < Rounds; ++r) {
      int const begin = (r * Lanes::size + lane) * PerRound;
      word[r] =
          heads.words.load((first + static_cast<std::size_t>(Whole ? begin : Kokkos::min(begin, length - 1))) / 32);
    }
  }
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bits(bit_heads const&, std::size_t first, int length, int r,
                                                 int lane) const {
    int const begin = (r * Lanes::size + lane) * PerRound;
    int const there = Whole ? PerRound : Kokkos::clamp(length - begin, 0, PerRound);
    if (there == 0) return 0;
    std::uint32_t const bits = word[r] >> (begin % 32) & (0xffffffffu >> (32 - there));
    return bits | (first == 0 && begin == 0 ? 1u : 0u);
  }
};

}  // namespace upsweep::scan::detail
