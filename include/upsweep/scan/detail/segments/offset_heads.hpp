// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/scan/detail/segments/segment_bits.hpp>
#include <upsweep/scan/detail/segments/segment_search.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// Heads from offsets of segments (CRS), found by the scan itself: short scans on GPUs spend more time on the launches
/// that make bits (segment_bits.hpp) than on these searches. A warp looks for the first offset of its run of elements,
/// and reads on from there.
///
/// Offsets may be wrong: searches then find some heads, and end; check() reports. Each offset is checked by one warp.
/// The fallback for a tile asks at(), and may then find other heads than the tile's own warps in mark(); so the results
/// of wrong offsets may differ from run to run. Heads by mark() there, too, would cost registers: double 2^20 12.4 us
/// in place of 11.3.
/// Pre: n and segments are less than 2^30, so that numbers of 32 bits do: a warp has its elements in
///   registers meanwhile.
template <class Offsets>
struct offset_heads {
  Offsets offsets;
  std::size_t segments, n;
  internal::error_word errors;

  using number = std::uint32_t;

  KOKKOS_FUNCTION bool starts(std::size_t i) const {
    number const at = static_cast<number>(i);
    number s = 0;
    for (number end = count(); s < end;) {
      number const middle = s + (end - s) / 2;
      if (offset(middle) < at) s = middle + 1;
      else end = middle;
    }
    return s < count() && offset(s) == at;
  }
  KOKKOS_FUNCTION bool at(std::size_t i) const { return i == 0 || starts(i); }

  /// Sets the bits of the heads in a run of `length` elements from `first` on, in `size` words that all lanes see;
  /// clears the others.
  /// Pre: length <= 32 * size.
  template <class Lanes>
  KOKKOS_FUNCTION void mark(std::uint32_t* words, int size, std::size_t first, int length, int lane) const {
    for (int w = lane; w < size; w += Lanes::size) words[w] = first == 0 && w == 0 && length > 0 ? 1u : 0u;
    if (length == 0) return Lanes::sync();
    number const begin = static_cast<number>(first), end = begin + static_cast<number>(length);
    number from = near<Lanes>(begin, lane);
    Lanes::sync();
    // Many empty segments at one place are not read one by one.
    int rows = 2 + 2 * length / row_length<Lanes>;
    for (;; from += row_length<Lanes>) {
      number own[together];
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) {
        number const s = from + static_cast<number>(k * Lanes::size + lane);
        own[k] = s < count() ? offset(s) : end;
      }
      bool is_past = false;
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) {
        if (begin <= own[k] && own[k] < end) set(words, own[k] - begin);
        is_past = is_past || own[k] >= end;
      }
      if (Lanes::ballot(is_past) != 0) break;
      if (--rows == 0) {
        mark_by_elements<Lanes>(words, from, begin, static_cast<number>(length), lane);
        break;
      }
    }
    Lanes::sync();
  }

  /// Reports the wrong ones among the offsets of one of `parts` warps.
  template <class Lanes>
  KOKKOS_FUNCTION void check(std::size_t part, std::size_t parts, int lane) const {
    std::size_t const a_part = segments / parts + 1, first = part * a_part,
                      last = Kokkos::min(first + a_part, segments + 1);
    for (std::size_t s = first + static_cast<std::size_t>(lane); s < last; s += Lanes::size)
      if (is_wrong_offset(offsets, s, segments, n)) errors.report(s, internal::data_error::bad_segment_offset);
  }

 private:
  static constexpr int together = 4;  ///< loads of a lane in flight
  template <class Lanes>
  static constexpr int row_length = (together * Lanes::size);

  KOKKOS_FORCEINLINE_FUNCTION number count() const { return static_cast<number>(segments); }
  /// Wrong ones may count as n.
  KOKKOS_FORCEINLINE_FUNCTION number offset(number s) const {
    return static_cast<number>(Kokkos::min(static_cast<std::size_t>(offsets.load(s)), n));
  }
  KOKKOS_FORCEINLINE_FUNCTION static void set(std::uint32_t* words, number at) {
    Kokkos::atomic_or(words + at / 32, std::uint32_t(1) << (at % 32));
  }

  /// An offset at most half a row in front of the first one that is not less than `begin`, and not behind it. Offsets
  /// of segments of random lengths are within a few square roots of their number of where they would be if all were of
  /// one length. H200, 2026-11-23, 2^20 in segments of 8 / 37 / 100, 20 calls in a row, us: int32 8.4 / 8.0 / 7.9,
  /// double 11.6 / 11.3 / 11.3; with four offsets a lane, from all of them on, int32 9.5 / 9.0 / 8.8, double 12.6 /
  /// 12.3 / 11.7: what counts is how many lines a warp asks for.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION number near(number begin, int lane) const {
    auto const step = static_cast<number>(Kokkos::sqrt(static_cast<float>(count())) / 8) + 1;
    return search_segment<Lanes>([&](number s) { return offset(s) < begin; }, number(0), count(),
                                 static_cast<number>(row_length<Lanes> / 2),
                                 segment_if_uniform(begin, count(), static_cast<number>(n)), step, lane);
  }

  /// The rest of mark() for a run with many more offsets than elements: a search among offsets `from` on for each
  /// element, a few beside one another.
  template <class Lanes>
  KOKKOS_FUNCTION void mark_by_elements(std::uint32_t* words, number from, number begin, number length,
                                        int lane) const {
    number steps = 1;
    while (2 * steps <= count() - from) steps *= 2;
    for (number first = static_cast<number>(lane); first < length; first += row_length<Lanes>) {
      number s[together];
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) s[k] = from;
      UPSWEEP_NO_UNROLL
      for (number step = steps; step > 0; step /= 2) {
        UPSWEEP_UNROLL
        for (int k = 0; k < together; ++k)
          if (s[k] + step <= count() && offset(s[k] + step - 1) < begin + first + k * Lanes::size) s[k] += step;
      }
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) {
        number const at = first + k * Lanes::size;
        if (at < length && s[k] < count() && offset(s[k]) == begin + at) set(words, at);
      }
    }
  }
};

}  // namespace upsweep::scan::detail
