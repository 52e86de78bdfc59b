// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/pack/detail/histogram/histogram_bins.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace upsweep::pack::detail {

/// Bins up to which a CPU thread has counts of its own on its stack: 16 KiB.
inline constexpr std::size_t most_private_bins = 4096;
/// Elements that are shared out or timed together.
inline constexpr std::size_t counted_together = 256;

/// Whether bins are integers side by side in memory.
template <class BinOf>
inline constexpr bool has_bins_in_memory = false;
template <class T>
  requires(!std::is_same_v<T, bool>)
inline constexpr bool has_bins_in_memory<bin_of_element<internal::contiguous_sequence<T const>>> = true;

/// How one thread counts a stretch of elements. With few bins neighbouring elements are often in the same one, and each
/// addition would wait for the store of the one before, so that neighbours add to different counts of a bin (columns).
/// Bins side by side are compared with the number of bins by vectors, 64 together, and then counted without a question:
/// a count costs one store, and a core stores once a cycle.
///
/// A core of a Xeon (Sapphire Rapids), 2026-11-23, 256 bins, 2^14 int32 at random / in order, ns each: a plain loop
/// 0.25 / 0.96, this 0.26 / 0.42, one question each 0.28 / 0.43, bins clamped to one more, a buffer of 64 0.30 / 0.45.
/// Counts of 8 or 16 bits in one column are no faster (0.25 / 0.79), two bins from one load of 8 bytes neither (0.26 /
/// 0.37, without any question).
template <class BinOf>
struct histogram_stretch {
  static constexpr std::size_t columns = 4, most_bins_with_columns = 256, elements_per_bin = 32;
  static_assert(columns * most_bins_with_columns <= most_private_bins);
  /// What an element takes, in nanoseconds, where that is known.
  static constexpr bool known_cost = has_bins_in_memory<BinOf>;
  static constexpr double nanoseconds = 0.3;

  BinOf bin_of;
  std::size_t bins, elements;  ///< in all

  bool in_columns() const { return bins <= most_bins_with_columns && elements >= elements_per_bin * bins; }
  std::size_t counts() const { return in_columns() ? columns * bins : bins; }
  void clear(std::uint32_t* mine) const { std::fill_n(mine, counts(), 0u); }

  /// Adds the elements from `begin` to `end` to counts().
  void count(std::size_t begin, std::size_t end, std::uint32_t* mine) const {
    std::size_t const apart = in_columns() ? bins : 0;
    std::uint32_t* const of_column[columns] = {mine, mine + apart, mine + 2 * apart, mine + 3 * apart};
    count_by_four(begin, end, [=](std::size_t b, std::size_t column) { return of_column[column] + b; });
  }
  /// The same to the result, which nobody else adds to.
  template <class To>
  void count_to(std::size_t begin, std::size_t end, To const& to) const {
    count_by_four(begin, end, [to = to](std::size_t b, std::size_t) { return to.at(b); });
  }
  /// Calls add(bin, sum) for every bin.
  template <class Add>
  void for_each_sum(std::uint32_t const* mine, Add const& add) const {
    std::uint32_t const* const m = mine;
    if (!in_columns()) {
      for (std::size_t b = 0; b < bins; ++b) add(b, m[b]);
    } else {
      for (std::size_t b = 0; b < bins; ++b) add(b, m[b] + m[bins + b] + m[2 * bins + b] + m[3 * bins + b]);
    }
  }

 private:
  /// Adds 1 to *at(bin, place in four elements). A negative bin becomes a large one, which is none.
  template <class At>
  void count_by_four(std::size_t begin, std::size_t end, At const at) const {
    // Copies: for all that the compiler knows, the counters could lie in this.
    BinOf const of = bin_of;
    std::size_t const most = bins;
    auto const count_one = [&](std::size_t i, std::size_t k) {
      auto const b = static_cast<std::size_t>(of(i));
      if (b < most) ++*at(b, k);
    };
    std::size_t i = begin;
    if constexpr (has_bins_in_memory<BinOf>) {
      constexpr std::size_t together = 64 / std::min<std::size_t>(sizeof(of(i)), 4) * 4;
      for (; i + together <= end; i += together) {
        if (all_are_bins<together>(of.in.data + i, most)) {
          for (std::size_t k = 0; k < together; k += 4) {
            ++*at(static_cast<std::size_t>(of(i + k)), 0);
            ++*at(static_cast<std::size_t>(of(i + k + 1)), 1);
            ++*at(static_cast<std::size_t>(of(i + k + 2)), 2);
            ++*at(static_cast<std::size_t>(of(i + k + 3)), 3);
          }
        } else {
          for (std::size_t k = 0; k < together; ++k) count_one(i + k, k % 4);
        }
      }
    }
    for (; i + 4 <= end; i += 4) {
      count_one(i, 0);
      count_one(i + 1, 1);
      count_one(i + 2, 2);
      count_one(i + 3, 3);
    }
    for (; i < end; ++i) count_one(i, 0);
  }

  template <std::size_t Count, class T>
  static bool all_are_bins(T const* of, std::size_t most) {
    using word = std::make_unsigned_t<T>;
    if constexpr (sizeof(T) == 8) {
      // There is no largest of 64 bits before AVX-512. The highest bit is set in a negative bin, or in what is left of
      // the last bin behind one that is too large.
      word any = 0;
      for (std::size_t k = 0; k < Count; ++k) any |= static_cast<word>(of[k]) | (most - 1 - static_cast<word>(of[k]));
      return any >> 63 == 0;
    } else {
      // The last number that is a bin; most > 0.
      auto const last = static_cast<word>(std::min<std::size_t>(most - 1, std::numeric_limits<T>::max()));
      if (last == std::numeric_limits<word>::max()) return true;
      word largest = 0;
      for (std::size_t k = 0; k < Count; ++k) largest = std::max(largest, static_cast<word>(of[k]));
      return largest <= last;
    }
  }
};

}  // namespace upsweep::pack::detail
