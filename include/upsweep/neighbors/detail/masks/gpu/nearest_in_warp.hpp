// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/rules/nearest_hits.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// Chooses the hits of a row that come first in hit_order, with the lanes of a warp, which have them all: hit k is item
/// k / size of lane k % size.
///
/// What orders hits are words of 32 bits, the upper ones first. Lanes have one word of each hit in registers, and look
/// for a number that as many words as are wanted do not exceed: hits within a distance are as many as its third power
/// says, so that few numbers have to be tried. Where several hits have the word of the last wanted one, the next word
/// decides between these.
template <class Real, int Items, class Lanes>
class nearest_in_warp {
 public:
  static constexpr int most = Items * Lanes::size;  ///< hits

  /// The items of this lane that are chosen, as bits. hit_of(k): hit k. Called by all lanes.
  /// Pre: 0 < wanted < n <= most; no hit is farther than the cutoff.
  template <class HitOf>
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t choose(hit_order<Real> const& order, HitOf const& hit_of, int n,
                                                          int wanted, Real cutoff_squared, int lane) {
    std::uint32_t key[Items];
    UPSWEEP_UNROLL
    for (int r = 0; r < Items; ++r) {
      int const k = r * Lanes::size + lane;
      key[r] = k < n ? first_word(hit_of(k).squared) : none;
    }
    interval in{0, first_word(cutoff_squared), 0, n};
    if (narrow<true>(key, wanted, in)) return up_to(key, in.high);
    return break_ties(order, hit_of, n, wanted, key, in, lane);
  }

 private:
  static constexpr std::uint32_t none = internal::finite_max<std::uint32_t>;
  static constexpr bool in_one_word = sizeof(Real) == 4;
  static constexpr int words = 2 * hit_order<Real>::parts;

  /// Numbers from low to high: the word of the last wanted hit is one of them.
  struct interval {
    std::uint32_t low, high;
    int below, up_to;  ///< hits with words below `low`, and up to `high`
  };

  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t first_word(Real squared) {
    return static_cast<std::uint32_t>(hit_order<Real>::bits(squared) >> (in_one_word ? 0 : 32));
  }

  KOKKOS_FORCEINLINE_FUNCTION static int count(std::uint32_t const (&key)[Items], std::uint32_t most) {
    std::uint32_t n = 0;
    UPSWEEP_UNROLL
    for (int r = 0; r < Items; ++r) n += key[r] <= most ? 1 : 0;
    return static_cast<int>(Lanes::reduce_sum(n));
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t up_to(std::uint32_t const (&key)[Items], std::uint32_t most) {
    std::uint32_t items = 0;
    UPSWEEP_UNROLL
    for (int r = 0; r < Items; ++r) items |= (key[r] <= most ? 1u : 0u) << r;
    return items;
  }

  /// Makes the interval smaller until `wanted` hits are up to its end: true. Or it is one number, which more have.
  /// Pre: more are up to its end.
  template <bool Distances>
  KOKKOS_FORCEINLINE_FUNCTION static bool narrow(std::uint32_t const (&key)[Items], int wanted, interval& in) {
    constexpr int most_guesses = 8;
    UPSWEEP_NO_UNROLL
    for (int step = 0; in.low < in.high; ++step) {
      std::uint32_t const guess = step >= most_guesses       ? in.low + (in.high - in.low) / 2
                                  : Distances && in.low == 0 ? by_power(wanted, in)
                                                             : by_line(wanted, in);
      std::uint32_t const at = guess < in.low ? in.low : guess >= in.high ? in.high - 1 : guess;
      int const n = count(key, at);
      if (n >= wanted) in.high = at, in.up_to = n;
      else in.low = at + 1, in.below = n;
      if (n == wanted) return true;
    }
    return false;
  }
  /// As many hits as the third power of the distance says, near the end of the interval.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t by_power(int wanted, interval const& in) {
    constexpr std::uint32_t one = 1u << (in_one_word ? 23 : 20);  // of the significand
    float const scale = static_cast<float>((in.high & (one - 1)) | one) * (2.0f / 3);
    float const down = scale * (static_cast<float>(in.up_to - wanted) / static_cast<float>(in.up_to));
    return in.high - static_cast<std::uint32_t>(down);
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t by_line(int wanted, interval const& in) {
    float const share = (static_cast<float>(wanted - in.below) + 0.5f) / (static_cast<float>(in.up_to - in.below) + 1);
    return in.low + static_cast<std::uint32_t>(static_cast<float>(in.high - in.low) * share);
  }

  /// Of the hits whose word is all of the interval, those that later words put first, and all before them.
  template <class HitOf>
  KOKKOS_FUNCTION static std::uint32_t break_ties(hit_order<Real> const& order, HitOf const& hit_of, int n, int wanted,
                                                  std::uint32_t (&key)[Items], interval in, int lane) {
    std::uint32_t chosen = 0, left = 0;
    UPSWEEP_UNROLL
    for (int r = 0; r < Items; ++r) left |= (r * Lanes::size + lane < n ? 1u : 0u) << r;
    UPSWEEP_NO_UNROLL
    for (int which = in_one_word ? 2 : 1; which < words; ++which) {
      std::uint32_t least = none, most = 0;
      UPSWEEP_UNROLL
      for (int r = 0; r < Items; ++r) {
        std::uint32_t const bit = 1u << r;
        if ((left & bit) != 0 && key[r] < in.low) chosen |= bit;
        if (key[r] != in.low) left &= ~bit;
        key[r] = none;
        if ((left & bit) == 0) continue;
        std::uint64_t const part = order.part(which / 2, hit_of(r * Lanes::size + lane));
        key[r] = static_cast<std::uint32_t>(which % 2 == 0 ? part >> 32 : part);
        least = Kokkos::min(least, key[r]);
        most = Kokkos::max(most, key[r]);
      }
      wanted -= in.below;
      in = {internal::fold_lanes<Lanes>(min<std::uint32_t>{}, least, lane),
            internal::fold_lanes<Lanes>(max<std::uint32_t>{}, most, lane), 0, in.up_to - in.below};
      if (narrow<false>(key, wanted, in)) return chosen | (left & up_to(key, in.high));
    }
    return chosen;  // not reached: no two hits are equal in all words
  }
};

}  // namespace upsweep::neighbors::detail
