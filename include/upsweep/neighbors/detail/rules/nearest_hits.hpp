// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/neighbors/detail/rules/pair_rules.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// A hit of a row: the particle at `place`, seen in image `shift`.
template <class Real>
struct row_hit {
  Real squared;  ///< the distance's square, as it was compared with the cutoff's
  int place;
  image shift;
};

/// What orders the hits of a row, nearest first: numbers that are compared one after the other, the bits of the squared
/// distance, then the id, then the image. (Then the index: ids that a caller gave twice make no list that depends on
/// timing.)
template <class Real>
struct hit_order {
  pair_rules<Real> const& rules;

  static constexpr int parts = 3;
  using real_bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

  /// Squares are not negative: they compare as their bits do.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t bits(Real squared) { return Kokkos::bit_cast<real_bits>(squared); }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t part(int which, row_hit<Real> const& of) const {
    if (which == 0) return bits(of.squared);
    if (which == 1) return static_cast<std::uint64_t>(rules.id(of.place)) ^ std::uint64_t(1) << 63;
    return static_cast<std::uint64_t>(of.shift.order()) << 32 | static_cast<std::uint32_t>(rules.order[of.place]);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool before(row_hit<Real> const& a, row_hit<Real> const& b) const {
    if (a.squared != b.squared) return a.squared < b.squared;
    return tie_before(a, b);
  }

 private:
  KOKKOS_FUNCTION bool tie_before(row_hit<Real> const& a, row_hit<Real> const& b) const {
    if (a.place == b.place && a.shift == b.shift) return false;
    for (int which = 1; which < parts; ++which) {
      std::uint64_t const of_a = part(which, a), of_b = part(which, b);
      if (of_a != of_b) return of_a < of_b;
    }
    return false;
  }
};

/// Chooses the hits of a row that come first in hit_order, `wanted` of them, or all where there are no more. The caller
/// shows it the hits of the row, in any order, as often as it asks for them:
///
///     nearest_hits<Real> nearest(order, memory, stride);
///     nearest.start(wanted, cutoff_squared);
///     do for_each_hit([&](auto const& hit) { nearest.add(hit); });
///     while (!nearest.finish_pass());
///     for_each_hit([&](auto const& hit) { if (nearest.has(hit)) ...; });
///
/// It has 512 bytes, however long the row is. Where few hits are left to choose, a pass keeps them in a heap, the last
/// one on top. Else it counts the hits in bins, and the bin that the last wanted hit is in is all that is left to
/// decide about. Rows of 100 hits take two passes, one where up to 8 are wanted; no row takes more than 32, whatever
/// ties it has.
template <class Real>
class nearest_hits {
 public:
  using hit = row_hit<Real>;
  static constexpr int words = 128;  ///< of memory

  /// memory: `words` words, `stride` apart.
  KOKKOS_FUNCTION nearest_hits(hit_order<Real> const& order, std::uint32_t* memory, int stride)
      : order_(order), memory_(memory), stride_(stride) {}

  /// Pre: wanted > 0; no hit is farther than the cutoff.
  KOKKOS_FUNCTION void start(std::size_t wanted, Real cutoff_squared) {
    // No row is as long as that.
    constexpr auto most = internal::finite_max<std::uint32_t>;
    wanted_ = wanted < most ? static_cast<std::uint32_t>(wanted) : most;
    part_ = 0;
    low_ = 0;
    high_ = order_.bits(cutoff_squared);
    has_all_left_ = false;
    // Most hits of a row are in the octaves below the cutoff.
    constexpr std::uint64_t range = std::uint64_t(bins) << first_shift;
    if (high_ >= range) begin_pass(most_ranked_at_once, high_ - range + 1, first_shift);
    else begin_pass(most_ranked_at_once);
  }

  KOKKOS_FUNCTION void add(hit const& found) {
    if (compare(found) != 0) return;
    if (ranks_) {
      if (order_.before(found, last_)) replace_last(found);
    } else {
      ++word(bin_of(order_.part(part_, found)));
    }
  }

  /// All hits were shown. Whether it is known which ones are chosen; else they are to be shown again.
  KOKKOS_FUNCTION bool finish_pass() {
    if (ranks_) return true;
    std::uint32_t before = 0;
    int bin = 0;
    while (bin < bins && wanted_ - before > word(bin)) before += word(bin++);
    has_all_left_ = bin == bins || wanted_ - before == word(bin);
    wanted_ -= before;
    if (bin == bins) return true;
    std::uint64_t const first = first_ + (static_cast<std::uint64_t>(bin) << shift_);
    std::uint64_t const last = first + ((std::uint64_t(1) << shift_) - 1);
    if (bin > 0) low_ = first;
    if (last < high_) high_ = last;
    if (has_all_left_) return true;
    if (low_ == high_) {
      same_[part_++] = low_;
      low_ = 0;
      high_ = internal::finite_max<std::uint64_t>;
    }
    begin_pass(most_ranked);
    return false;
  }

  KOKKOS_FUNCTION bool has(hit const& found) const {
    int const at = compare(found);
    return at < 0 || (at == 0 && (has_all_left_ || !order_.before(last_, found)));
  }

 private:
  static constexpr int bins = words;
  static constexpr int bin_bits = 7;
  static_assert(bins == 1 << bin_bits);
  static constexpr int first_shift = std::numeric_limits<Real>::digits - 1 - 4;  ///< 16 bins an octave
  /// A hit of a heap takes five times as long as one of a bin.
  static constexpr int most_ranked_at_once = 8, most_ranked = 32;
  static constexpr int words_of_hit = sizeof(Real) / sizeof(std::uint32_t) + 2;
  static_assert(most_ranked * words_of_hit <= words);

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& word(int k) const { return memory_[k * stride_]; }

  KOKKOS_FUNCTION void begin_pass(std::uint32_t most) {
    int const bits = Kokkos::bit_width(high_ - low_);
    begin_pass(most, low_, bits > bin_bits ? bits - bin_bits : 0);
  }
  /// A heap where no more than `most` are wanted, else bins: the first has all up to `first`.
  KOKKOS_FUNCTION void begin_pass(std::uint32_t most, std::uint64_t first, int shift) {
    first_ = first;
    shift_ = shift;
    ranks_ = wanted_ <= most;
    last_ = {Kokkos::Experimental::infinity_v<Real>, -1, image(0, 0, 0)};
    for (int k = 0; ranks_ && k < static_cast<int>(wanted_); ++k) store(k, last_);
    for (int k = 0; !ranks_ && k < bins; ++k) word(k) = 0;
  }

  /// Less than 0: chosen already; more: left out already.
  KOKKOS_FORCEINLINE_FUNCTION int compare(hit const& found) const {
    for (int which = 0; which < part_; ++which) {
      std::uint64_t const value = order_.part(which, found);
      if (value != same_[which]) return value < same_[which] ? -1 : 1;
    }
    std::uint64_t const value = order_.part(part_, found);
    return value < low_ ? -1 : value > high_ ? 1 : 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION int bin_of(std::uint64_t value) const {
    return value <= first_ ? 0 : static_cast<int>((value - first_) >> shift_);
  }

  KOKKOS_FORCEINLINE_FUNCTION hit load(int k) const {
    k *= words_of_hit;
    typename hit_order<Real>::real_bits bits = word(k++);
    if constexpr (sizeof(Real) == 8) bits |= static_cast<std::uint64_t>(word(k++)) << 32;
    return {Kokkos::bit_cast<Real>(bits), static_cast<int>(word(k)), Kokkos::bit_cast<image>(word(k + 1))};
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(int k, hit const& of) const {
    k *= words_of_hit;
    std::uint64_t const bits = order_.bits(of.squared);
    word(k++) = static_cast<std::uint32_t>(bits);
    if constexpr (sizeof(Real) == 8) word(k++) = static_cast<std::uint32_t>(bits >> 32);
    word(k) = static_cast<std::uint32_t>(of.place);
    word(k + 1) = Kokkos::bit_cast<std::uint32_t>(of.shift);
  }

  KOKKOS_FUNCTION void replace_last(hit const& by) {
    int const n = static_cast<int>(wanted_);
    int at = 0;
    for (int child = 1; child < n; child = 2 * at + 1) {
      hit later = load(child);
      if (child + 1 < n) {
        hit const other = load(child + 1);
        if (order_.before(later, other)) later = other, ++child;
      }
      if (!order_.before(by, later)) break;
      store(at, later);
      at = child;
    }
    store(at, by);
    last_ = load(0);
  }

  hit_order<Real> order_;
  std::uint32_t* memory_;
  int stride_;
  std::uint32_t wanted_ = 0;          ///< of those that are left to decide about
  int part_ = 0;                      ///< of hit_order, by which it is decided now
  std::uint64_t low_ = 0, high_ = 0;  ///< what that is of those that are left; the parts before it are same_
  std::uint64_t same_[hit_order<Real>::parts] = {};
  bool ranks_ = false, has_all_left_ = false;
  std::uint64_t first_ = 0;  ///< of the bins
  int shift_ = 0;
  hit last_ = {};  ///< of the heap
};

}  // namespace upsweep::neighbors::detail
