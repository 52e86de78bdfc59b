// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/one_pass/one_pass.hpp>
#include <upsweep/scan/detail/tiles/selection_rows.hpp>
#include <upsweep/scan/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// A selection as the Work of one_pass.hpp, for any GPU with warps. Workers load their rows into registers and choose
/// (selection_rows.hpp); while the last warp looks for the number of chosen elements before the tile, they put the tile
/// in order in scratch.
/// Scratch: a tile of elements.
/// Memory: every element is read once, and written once if it is wanted.
/// In place: an element goes to a place that is not behind its own, so what a tile stores lies in tiles up to
/// itself. It stores when it knows the aggregates of all tiles before. A tile publishes its aggregate after its
/// loads, with a fence between. The element before a tile, which `wants_previous` reads, is overwritten by itself or
/// by this and later tiles.
/// Progress: there is no fallback for a stalled tile, because the user's functor is called once per element. A tile is
/// waited for by teams that have taken later tickets: its own team has started, and goes on (compat::has_warps). Joined
/// parts (Problem::wants_total): the rest waits for the counts of all tiles, in scratch. Meant for inputs so short that
/// all teams run at once. Another kernel may have their place, so that some do not start before others end: a team that
/// has waited for long evaluates the predicate again for the elements of stalled tiles.
template <class Problem, class Shape, class Lanes>
struct selection_work {
  using shape = Shape;
  using lanes = Lanes;
  using monoid_type = typename Problem::monoid;
  using state = typename Problem::counts;
  using element = typename Problem::element;
  using rows = selection_rows<Problem, Shape::warps, Shape::bytes_per_thread, Lanes>;

  static constexpr bool wants_total = Problem::wants_total;

  struct scratch {
    alignas(std::max(alignof(element), std::size_t(16))) unsigned char slots[rows::size * sizeof(element)];
    state total;  ///< if it is wanted
  };

  Problem problem;
  std::size_t tiles;

  /// The counts of a stalled tile.
  struct counting {
    Problem const& problem;
    int lane;
    KOKKOS_FUNCTION state operator()(std::size_t number) const {
      return rows::count_again(problem, number * rows::size, lane);
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION static monoid_type monoid() { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION static state init() { return monoid_type{}.identity(); }
  KOKKOS_FORCEINLINE_FUNCTION bool backwards() const { return problem.order.backwards(); }
  KOKKOS_FORCEINLINE_FUNCTION auto fallback(int lane) const {
    if constexpr (wants_total) return counting{problem, lane};
    else return no_fallback{};
  }
  KOKKOS_FORCEINLINE_FUNCTION void finish(state const& through) const { problem.finish(through); }

  struct part {
    rows mine;
    std::size_t begin;  ///< the tile's first element
    int warp;
    bool backwards;
    int chosen;  ///< of the tile, as selection_rows counts

    KOKKOS_FORCEINLINE_FUNCTION part(selection_work const& work, std::size_t number, int w, bool from_the_end)
        : begin(rows::begin_of(number, work.tiles, from_the_end)), warp(w), backwards(from_the_end) {}

    KOKKOS_FORCEINLINE_FUNCTION bool is_whole(selection_work const& work) const {
      return rows::is_whole(work.problem, begin);
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION state load(selection_work const& work, scratch&, int lane) {
      mine.template set_place<Whole>(work.problem, begin, warp, lane);
      mine.template load<Whole>(work.problem);
      std::uint32_t const sum = mine.template choose<Whole>(work.problem, backwards);
      if (work.problem.in_place) Kokkos::memory_fence();
      return rows::state_of(sum);
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void arrange(selection_work const&, scratch& s, state const& sums, int lane) {
      using warp_sums = internal::warp_sums<Lanes, Shape::warps>;
      std::uint32_t const sums_of_tile = rows::tile_counts(sums);
      chosen = static_cast<int>(warp_sums::total(sums_of_tile));
      int const before = static_cast<int>(warp_sums::before(sums_of_tile, warp));
      mine.template put<Whole>(reinterpret_cast<element*>(s.slots), lane, warp > 0 ? before : 0, chosen);
    }
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void emit(selection_work const& work, scratch& s, state const& prefix, int lane) const {
      auto const* const slots = reinterpret_cast<element const*>(s.slots);
      int const thread = warp * Lanes::size + lane;
      if constexpr (wants_total)
        rows::template store<false>(work.problem, begin, slots, chosen, prefix, thread, s.total);
      else if (backwards) rows::template store<true>(work.problem, begin, slots, chosen, prefix, thread);
      else rows::template store<false>(work.problem, begin, slots, chosen, prefix, thread);
    }
  };
};

/// Selection on any GPU with warps.
struct striped_selection {
  template <class ExecutionSpace>
  using shape = typename engine::tuning<ExecutionSpace>::warp_selection;

  template <class ExecutionSpace, class T, class Shape>
  static constexpr std::size_t tile_size =
      selection_tile_size<T, Shape::warps, Shape::bytes_per_thread, internal::lanes_of<ExecutionSpace>>;

  template <class ExecutionSpace>
  static std::size_t region_bytes(std::size_t tiles) {
    return one_pass_bytes<plus<std::uint64_t>, internal::lanes_of<ExecutionSpace>>(tiles);
  }

  /// Whether the teams of a selection of joined parts of n elements run at once, if nothing else runs.
  template <class Shape, class Problem, class ExecutionSpace>
  static bool runs_at_once(ExecutionSpace const& space, std::size_t n) {
    using work = selection_work<Problem, Shape, internal::lanes_of<ExecutionSpace>>;
    using kernel = one_pass_kernel<work, false>;
    std::size_t const tiles = internal::divide_up<std::size_t>(n, work::rows::size);
    return tiles <=
           compat::teams_at_once(space, Shape::teams, kernel::team_size, sizeof(typename kernel::shared) + 128);
  }

  /// Pre: n > 0; the region is as long as region_bytes() says and was zeroed before its first use.
  template <class Shape, class ExecutionSpace, class Problem>
  static void select(ExecutionSpace const& space, Problem const& problem, look_back_memory memory,
                     scan_names const& names) {
    using work = selection_work<Problem, Shape, internal::lanes_of<ExecutionSpace>>;
    static_assert(sizeof(typename one_pass_kernel<work, !work::wants_total>::shared) + 128 <= 48 * 1024,
                  "upsweep: a selection's tile has to fit in 48 KiB of scratch.");
    std::size_t const tiles = internal::divide_up<std::size_t>(problem.n, work::rows::size);
    if (work::wants_total && memory.polls == 0) memory.polls = engine::tuning<ExecutionSpace>::polls_for_total;
    run_one_pass<!work::wants_total>(space, work{problem, tiles}, tiles, memory, problem.in_place, "select", names);
  }
};

}  // namespace upsweep::scan::detail
