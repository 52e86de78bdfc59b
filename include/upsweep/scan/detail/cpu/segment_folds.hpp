// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>

#include <algorithm>
#include <cstddef>

namespace upsweep::scan::detail {

/// How a CPU thread folds a tile of elements with heads (segmented_sequences.hpp): what comes behind the last head.
/// Association: the left fold behind a head; a tile without one counts as four quarters' left folds.
template <class Heads, class In, class Monoid>
struct segment_folds {
  using value_type = typename Monoid::value_type;
  using input = typename In::value_type;

  Heads heads;
  In in;
  Monoid op;

  value_type value(std::size_t i) const { return internal::lift(op, in.load(i)); }

  /// The last head in [begin, end); `end` if there is none.
  std::size_t last_head(std::size_t begin, std::size_t end) const {
    constexpr std::size_t block = 16;  // asked together, without a branch
    std::size_t const low = std::max<std::size_t>(begin, 1);
    std::size_t at = end;
    for (; at >= low + block; at -= block) {
      bool any = false;
      for (std::size_t k = 1; k <= block; ++k) any |= heads.starts(at - k);
      if (any) break;
    }
    for (; at > low; --at)
      if (heads.starts(at - 1)) return at - 1;
    return begin == 0 ? 0 : end;
  }

  /// The first head in [begin, end); `end` if there is none. Pre: begin > 0.
  std::size_t next_head(std::size_t begin, std::size_t end) const {
    constexpr std::size_t block = 16;
    for (; begin + block <= end; begin += block) {
      bool any = false;
      for (std::size_t k = 0; k < block; ++k) any |= heads.starts(begin + k);
      if (any) break;
    }
    while (begin < end && !heads.starts(begin)) ++begin;
    return begin;
  }

  /// The fold of [begin, end) since `head`, its last one; of all, if there is none. Pre: begin < end.
  value_type since(std::size_t head, std::size_t begin, std::size_t end) const {
    return head < end ? fold_left(head, end) : fold_quarters(begin, end);
  }

  /// Pre: begin < end.
  value_type fold_left(std::size_t begin, std::size_t end) const {
    value_type sum = value(begin);
    for (std::size_t i = begin + 1; i < end; ++i) sum = op(sum, value(i));
    return sum;
  }
  /// Four chains that do not wait for each other's operations.
  value_type fold_quarters(std::size_t begin, std::size_t end) const {
    std::size_t const quarter = (end - begin) / 4;
    if (quarter == 0) return fold_left(begin, end);
    std::size_t i = begin;
    value_type a = value(i), b = value(i + quarter), c = value(i + 2 * quarter), d = value(i + 3 * quarter);
    for (std::size_t const stop = i++ + quarter; i < stop; ++i) {
      a = op(a, value(i));
      b = op(b, value(i + quarter));
      c = op(c, value(i + 2 * quarter));
      d = op(d, value(i + 3 * quarter));
    }
    for (i = begin + 4 * quarter; i < end; ++i) d = op(d, value(i));
    value_type const left = op(a, b), right = op(c, d);
    return op(left, right);
  }
};

/// Those of a problem with heads.
template <class Problem>
using folds_of = segment_folds<decltype(Problem::in.heads), decltype(Problem::in.in), decltype(Problem::out.monoid)>;

/// The length of the tiles of segments (segmented_tiles.hpp, run_sum_tiles.hpp), and how CPU threads share them
/// (cpu_tiles.hpp). Folds: segment_folds. Other: the type of what a tile reads or writes for an element beside that.
template <class Tuning, class Folds, class Other>
struct segment_tile_shape {
  /// Short elements have fewer of the tile's bytes: keys are as long as they are for long ones.
  static constexpr std::size_t element_bytes =
      std::max({sizeof(typename Folds::value_type), sizeof(typename Folds::input), sizeof(Other), std::size_t(4)});
  static constexpr std::size_t size = std::max<std::size_t>(64, Tuning::segmented_tile_bytes / element_bytes);
  static constexpr std::size_t parallel_tiles = 2;
  static constexpr std::size_t tiles_per_thread = 1;
  static constexpr double least_nanoseconds = Tuning::least_generic_nanoseconds;
  static constexpr std::size_t group_tiles = 1, largest_group = Tuning::largest_segmented_group;
  static constexpr std::size_t polls_a_tile = Tuning::segmented_polls_a_tile;
  static constexpr bool any_order = false;

  static std::size_t group_alone() { return group_tiles; }
};

}  // namespace upsweep::scan::detail
