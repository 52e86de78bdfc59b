// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/problem/run_starts.hpp>
#include <upsweep/scan/detail/problem/scan_lanes.hpp>
#include <upsweep/scan/detail/tiles/selection_rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// The runs that start in a warp's rows of a tile (selection_rows.hpp). Lane k keeps which elements of row k start one.
/// Most rows have few, and then each lane passes on those of its row, which lie side by side; where there are more than
/// eight a row, the lanes go from row to row together.
template <class Problem, int Warps, int BytesPerThread, class Lanes>
struct run_rows {
  using element = typename Problem::element;
  using mask = typename Lanes::mask;
  using tile = selection_rows<Problem, Warps, BytesPerThread, Lanes>;
  static constexpr int rows = tile::rows;
  static constexpr int size = tile::size;
  static constexpr int threads = tile::threads;
  static_assert(rows <= Lanes::size);

  mask starts;
  int before;  ///< of the warp's runs, those that start in rows before

  /// Asks for each element, once, whether a run starts. take(row, before, own) is called row after row: it gives the
  /// lane's element of the row and the one before that, and anything where there is none. there: elements of the tile,
  /// which begins at element `begin`. Returns how many runs start in the warp's rows, and where in the input the last
  /// one does, in every lane.
  template <bool Whole, class Take>
  KOKKOS_FORCEINLINE_FUNCTION run_starts_state choose(Problem const& p, std::size_t begin, int there, int warp,
                                                      int lane, Take const& take) {
    int const first = first_of(warp);
    starts = 0;
    UPSWEEP_UNROLL
    for (int from = 0; from < rows; from += together) {
      element left[together], own[together];
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k)
        if (from + k < rows) take(from + k, left[k], own[k]);
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) {
        int const r = from + k;
        if (r >= rows) break;
        int const index = first + r * Lanes::size + lane;
        std::size_t const i = begin + static_cast<std::size_t>(index);
        bool is_start = r == 0 && i == 0;
        if (!is_start && (Whole || index < there)) is_start = p.chosen(left[k], own[k], i);
        mask const row = Lanes::ballot(is_start);
        if (lane == r) starts = row;
      }
    }
    auto const mine = static_cast<std::uint32_t>(Lanes::popcount(starts));
    std::uint32_t const through = scan_lanes<Lanes>(plus<std::uint32_t>{}, mine, lane);
    before = static_cast<int>(through - mine);
    std::uint32_t const count = Lanes::shuffle(through, Lanes::size - 1);
    int const last =
        first + Lanes::shuffle(last_of(lane), Lanes::highest_set_bit(Lanes::ballot(starts != 0) | mask(1)));
    return {count, count == 0 ? 0 : begin + static_cast<std::size_t>(last)};
  }

  /// Passes on the runs that start in the warp's rows, and the lengths of those before them. left: of all elements
  /// before the rows; at(index) gives an element of the tile.
  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION void store(Problem const& p, std::size_t begin, run_starts_state const& left, int warp,
                                         int lane, At const& at) const {
    mask const rows_with = Lanes::ballot(starts != 0);
    if (rows_with == 0) return;
    // Places in the rows are what int holds; the run before the rows may start far away.
    int const first = first_of(warp);
    mask const rows_before = rows_with & ((mask(1) << lane) - mask(1));
    int const of_rows_before = Lanes::shuffle(last_of(lane), Lanes::highest_set_bit(rows_before | mask(1)));
    passing<At> const pass{p, at, first, left.count, begin + static_cast<std::size_t>(first) - left.last};
    int const last = rows_before == 0 ? none : of_rows_before;
    if (Lanes::shuffle(before + Lanes::popcount(starts), Lanes::size - 1) > 8 * rows)
      store_row_by_row(pass, last, lane);
    else store_own_row(pass, last, lane);
  }

 private:
  static constexpr int none = -1;
  /// Rows whose elements are loaded together, and that are passed on together.
  static constexpr int together = std::clamp(32 / static_cast<int>(sizeof(element)), 1, 8);
  static constexpr int passed_together = 4;

  KOKKOS_FORCEINLINE_FUNCTION static int first_of(int warp) { return warp * rows * Lanes::size; }
  /// Where in the warp's rows the last run starts that starts in the lane's row; anything for none.
  KOKKOS_FORCEINLINE_FUNCTION int last_of(int lane) const {
    return lane * Lanes::size + Lanes::highest_set_bit(starts | mask(1));
  }

  /// Passes a run on that starts at `index` in the warp's rows, behind so many there, and the length of the one before,
  /// which starts at `last`, or `none`, in front of the rows.
  template <class At>
  struct passing {
    Problem const& p;
    At const& at;
    int first;
    std::uint64_t count;        ///< runs in front of the rows
    std::size_t length_before;  ///< of the last one of them, up to the rows

    KOKKOS_FORCEINLINE_FUNCTION void operator()(int behind, int index, int last) const {
      std::uint64_t const run = count + static_cast<std::uint64_t>(behind);
      p.out.begins(run, at(first + index));
      std::size_t length = static_cast<std::size_t>(index - last);
      if (last == none) length = length_before + static_cast<std::size_t>(index);
      if (run > 0) p.out.ends(run - 1, length);
    }
  };

  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION void store_own_row(passing<At> const& pass, int last, int lane) const {
    int behind = before;
    for (mask these = starts; these != 0; these &= these - 1) {
      int const index = lane * Lanes::size + Lanes::lowest_set_bit(these);
      pass(behind++, index, last);
      last = index;
    }
  }

  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION void store_row_by_row(passing<At> const& pass, int last, int lane) const {
    mask const lanes_below = (mask(1) << lane) - mask(1);
    UPSWEEP_NO_UNROLL
    for (int from = 0; from < rows; from += passed_together) {
      UPSWEEP_UNROLL
      for (int k = 0; k < passed_together; ++k) {
        int const r = from + k, here = r * Lanes::size;
        mask const row = Lanes::shuffle(starts, r % Lanes::size);
        int const behind = Lanes::shuffle(before, r % Lanes::size);
        int const last_before = Lanes::shuffle(last, r % Lanes::size);
        if (r >= rows || (row >> lane & 1u) == 0) continue;
        mask const below = row & lanes_below;
        int const last_of_row = here + Lanes::highest_set_bit(below | mask(1));
        pass(behind + Lanes::popcount(below), here + lane, below != 0 ? last_of_row : last_before);
      }
    }
  }
};

}  // namespace upsweep::scan::detail
