// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/one_pass/one_pass.hpp>
#include <upsweep/scan/detail/problem/run_starts.hpp>
#include <upsweep/scan/detail/problem/selection_problem.hpp>
#include <upsweep/scan/detail/tiles/selection_rows.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// Runs of equal neighbours as the Work of one_pass.hpp, for any GPU with warps. Workers load their rows into
/// registers and compare neighbours (selection_rows.hpp); while the last warp looks for the runs before the tile, they
/// put where the tile's runs start into scratch, in order. Who stores a run reads its first element again, and knows
/// how long the run before is.
/// Scratch: 2 bytes for each element of a tile.
/// Memory: every element is read once; those that start a run again, from a cache.
/// Progress: as selection_work's (striped_selection.hpp).
template <class Problem, class Shape, class Lanes>
struct run_work {
  using shape = Shape;
  using lanes = Lanes;
  using monoid_type = join_run_starts;
  using state = run_starts_state;
  using rows = selection_rows<Problem, Shape::warps, Shape::bytes_per_thread, Lanes>;
  static_assert(rows::size <= 65536);

  struct scratch {
    std::uint16_t start[rows::size];  ///< of the tile's runs, from the tile's first element on
  };

  Problem problem;

  KOKKOS_FORCEINLINE_FUNCTION static monoid_type monoid() { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION static state init() { return {0, 0}; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool backwards() { return false; }
  KOKKOS_FORCEINLINE_FUNCTION static no_fallback fallback(int) { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION void finish(state const& through) const { finish_runs(problem, through); }

  struct part {
    rows mine;
    std::size_t begin;  ///< the tile's first element
    int warp;
    int count;  ///< runs that start in the tile

    KOKKOS_FORCEINLINE_FUNCTION part(run_work const&, std::size_t number, int w, bool)
        : begin(number * rows::size), warp(w) {}

    KOKKOS_FORCEINLINE_FUNCTION bool is_whole(run_work const& work) const {
      return rows::is_whole(work.problem, begin);
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION state load(run_work const& work, scratch&, int lane) {
      mine.template set_place<Whole>(work.problem, begin, warp, lane);
      mine.template load<Whole>(work.problem);
      std::uint64_t const sum = mine.template choose<Whole>(work.problem, false);
      std::uint64_t const last = internal::fold_lanes<Lanes>(max<std::uint64_t>{}, mine.last_chosen(), lane);
      return {sum, last};
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void arrange(run_work const&, scratch& s, state const& sums, int lane) {
      using warp_sums = internal::warp_sums<Lanes, Shape::warps>;
      auto const sums_of_tile = static_cast<std::uint32_t>(sums.count);
      count = static_cast<int>(warp_sums::total(sums_of_tile));
      int const before = static_cast<int>(warp_sums::before(sums_of_tile, warp));
      mine.template place<Whole>(lane, warp > 0 ? before : 0, count,
                                 [&](int slot, int, int index) { s.start[slot] = static_cast<std::uint16_t>(index); });
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void emit(run_work const& work, scratch& s, state const& prefix, int lane) const {
      auto const& out = work.problem.out;
      for (int at = warp * Lanes::size + lane; at < count; at += rows::threads) {
        std::uint64_t const run = prefix.count + static_cast<std::uint64_t>(at);
        std::size_t const start = begin + s.start[at];
        out.begins(run, work.problem.in.load(start));
        if (run > 0)
          out.ends(run - 1, start - (at > 0 ? begin + s.start[at - 1] : static_cast<std::size_t>(prefix.last)));
      }
    }
  };
};

}  // namespace upsweep::scan::detail
