// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/scan/detail/one_pass/pipeline_launch.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/detail/reduce/folded_stripes.hpp>
#include <upsweep/scan/detail/reduce/short_reduction.hpp>
#include <upsweep/scan/detail/tiles/striped_tile.hpp>
#include <upsweep/scan/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// How a reduction's input is cut, which n alone decides: into tiles, one per team. A row is a chunk for each lane of a
/// warp; a warp of a tile has rows_of_warp of them side by side.
template <class Tile, class Shape>
struct reduction_cut {
  static constexpr std::size_t row_elements = Tile::warp_elements / Tile::rounds;

  std::size_t rows_of_warp;
  std::size_t tiles;

  /// Pre: n > 0.
  explicit reduction_cut(std::size_t n) {
    std::size_t const rows = internal::divide_up<std::size_t>(n, row_elements);
    std::size_t const limit =
        rows / (Shape::tiles * Shape::warps) < Shape::long_stretch ? Shape::tiles : 2 * Shape::tiles;
    std::size_t const most = std::clamp<std::size_t>(rows / (Shape::warps * Shape::least_rows), 1, limit);
    rows_of_warp = internal::divide_up<std::size_t>(rows, most * Shape::warps);
    tiles = internal::divide_up<std::size_t>(rows, rows_of_warp * Shape::warps);
  }
};

/// Combines all elements, in one launch, on any GPU.
///
/// Work to threads: a team has a tile, and a warp a stretch of it, which it folds `Tile::rounds` rows at a time; the
/// next ones are loaded meanwhile. The team that comes last folds what the tiles' teams have left. There are as many
/// tiles as a device runs at once: longer stretches were faster, and the last team has less to do. Very long inputs
/// have twice as many, so that teams end at about the same time.
/// Scratch: one state per warp, and a word.
/// Shared state: one state per tile, and the counter of teams that have stored theirs.
/// Each fences between its state and the counter; the last one fences behind the counter, and leaves it at 0.
/// Progress: no team waits for another.
/// Association: fixed by n, the types and the shape. Stretches and tiles in order; in a stretch the left fold of
/// batches of rows, the first of which has what is left over; in a batch striped_tile::reduce()'s. Where operands may
/// be taken in any order, a lane folds what it has of all batches of a stretch, and the lanes are folded once, as a
/// balanced tree. In stretches of wide states folded_stripes'.
template <class Problem, class Shape, class Lanes>
struct reduction_kernel {
  using state = typename Problem::state;
  /// Wide states are not kept, but folded as they come. H200, the check of 10^6 particles, states of 64 bytes: 31 us in
  /// double, 14 in float; where states were kept, 352 bytes per thread of them in local memory, 56 and 52.
  static constexpr bool is_wide = sizeof(state) > 32;
  using tile = std::conditional_t<is_wide, folded_stripes<Problem, Shape, Lanes>, striped_tile<Problem, Shape, Lanes>>;
  using cut_type = reduction_cut<tile, Shape>;
  static constexpr int warps = Shape::warps;
  static constexpr int team_size = warps * Lanes::size;
  static constexpr std::size_t row_elements = cut_type::row_elements;
  struct scan {};
  struct shared {
    state warp_sum[warps];
    std::uint32_t is_last;
  };

  Problem problem;
  cut_type cut;
  bool by_chunks;
  state* of_tile;
  std::uint64_t* arrived;

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(scan, Member const& m) const {
    auto& s = *static_cast<shared*>(
        m.team_scratch(0).get_shmem_aligned(sizeof(shared), Kokkos::max(alignof(shared), std::size_t(16))));
    int const warp = Lanes::uniform(m.team_rank() / Lanes::size), lane = m.team_rank() % Lanes::size;
    auto const number = static_cast<std::size_t>(m.league_rank());
    state const of_team = fold_warps(m, s, stretch(number, warp, lane), warp, lane);
    if (warp == 0 && lane == 0) {
      if (cut.tiles == 1) {
        problem.total.store(problem.monoid, of_team);
      } else {
        of_tile[number] = of_team;
        Kokkos::memory_fence();
        bool const is_last = Kokkos::atomic_fetch_add(arrived, std::uint64_t(1)) + 1 == cut.tiles;
        if (is_last) Kokkos::memory_fence();
        s.is_last = is_last ? 1u : 0u;
      }
    }
    if (cut.tiles == 1) return;
    m.team_barrier();
    if (s.is_last == 0) return;
    Kokkos::memory_fence();  // for who reads: a GPU's threads need not share the cache of the one that counted
    state const all = fold_warps(m, s, states_of_tiles(m.team_rank(), lane), warp, lane);
    if (warp == 0 && lane == 0) {
      problem.total.store(problem.monoid, all);
      *arrived = 0;
    }
  }

 private:
  /// The fold of what the warps have, in the first warp. All threads of the team call it.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION state fold_warps(Member const& m, shared& s, state const& of_warp, int warp,
                                               int lane) const {
    auto const& op = problem.monoid;
    if (lane == 0) s.warp_sum[warp] = of_warp;
    m.team_barrier();
    state sum = op.identity();
    if (warp == 0) {
      if constexpr (Lanes::size == 1) {
        for (int k = 0; k < warps; ++k) sum = k == 0 ? s.warp_sum[0] : op(sum, s.warp_sum[k]);
      } else {
        if (lane < warps) sum = s.warp_sum[lane];
        sum = internal::fold_lanes<Lanes>(op, sum, lane);
      }
    }
    return sum;
  }

  /// The fold of what tiles have left, of a warp's share of them, in every lane.
  KOKKOS_FORCEINLINE_FUNCTION state states_of_tiles(int thread, int lane) const {
    auto const& op = problem.monoid;
    std::size_t const share = internal::divide_up<std::size_t>(cut.tiles, team_size);
    std::size_t const begin = Kokkos::min(static_cast<std::size_t>(thread) * share, cut.tiles),
                      end = Kokkos::min(begin + share, cut.tiles);
    state sum = op.identity();
    for (std::size_t k = begin; k < end; ++k) {
      state const next = of_tile[k];
      if (k == begin) sum = next;
      else sum = op(sum, next);
    }
    return internal::fold_lanes<Lanes>(op, sum, lane);
  }

  /// The fold of a warp's stretch, in every lane.
  KOKKOS_FORCEINLINE_FUNCTION state stretch(std::size_t number, int warp, int lane) const {
    std::size_t const begin = (number * warps + static_cast<std::size_t>(warp)) * cut.rows_of_warp * row_elements;
    if constexpr (is_wide) {
      return tile::fold(problem, begin, cut.rows_of_warp, lane);
    } else {
      bool const whole = by_chunks && begin + cut.rows_of_warp * row_elements <= problem.n;
      return Lanes::uniform(whole) != 0 ? batches<true>(begin, lane) : batches<false>(begin, lane);
    }
  }

  /// Whole: all elements of the stretch exist, and come in chunks.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION state batches(std::size_t at, int lane) const {
    auto const& op = problem.monoid;
    constexpr auto rounds = static_cast<std::size_t>(tile::rounds);
    std::size_t const first_rows = (cut.rows_of_warp - 1) % rounds + 1;
    std::size_t left = (cut.rows_of_warp - first_rows) / rounds;  // whole batches
    int length = elements(at, first_rows);
    if (!Whole && length == 0) return op.identity();
    tile held;
    if constexpr (Whole) held.load_rows(problem, at, static_cast<int>(first_rows), lane);
    else held.template load<false>(problem, at, length, lane);
    if (left == 0) return of_lanes(sum_of<false>(held, at, length, lane), lane);
    state sum = op.identity();
    bool is_first = true;
    UPSWEEP_NO_UNROLL
    for (; left > 0; --left) {
      std::size_t const next = at + (is_first ? first_rows : rounds) * row_elements;
      int const length_ahead = Whole ? static_cast<int>(tile::warp_elements) : elements(next, rounds);
      if (!Whole && length_ahead == 0) break;
      tile ahead;
      ahead.template load<Whole>(problem, next, length_ahead, lane);
      if (is_first) sum = sum_of<false>(held, at, length, lane);
      else sum = op(sum, sum_of<Whole>(held, at, length, lane));
      held = ahead;
      at = next;
      length = length_ahead;
      is_first = false;
    }
    if (is_first) return of_lanes(sum_of<false>(held, at, length, lane), lane);
    return of_lanes(op(sum, sum_of<Whole>(held, at, length, lane)), lane);
  }

  /// What a lane keeps of a batch: where operands may be taken in any order, the fold of its own elements.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION state sum_of(tile const& held, std::size_t at, int length, int lane) const {
    if constexpr (tile::in_any_order) return held.template sum_of_lane<Whole>(problem, length, lane);
    else return held.template reduce<Whole>(problem, at, length, lane);
  }
  /// The fold of a stretch, in every lane, from what lanes have kept.
  KOKKOS_FORCEINLINE_FUNCTION state of_lanes(state const& kept, int lane) const {
    if constexpr (tile::in_any_order) return internal::fold_lanes<Lanes>(problem.monoid, kept, lane);
    else return kept;
  }

  /// Elements that exist of so many rows.
  KOKKOS_FORCEINLINE_FUNCTION int elements(std::size_t at, std::size_t rows) const {
    return at >= problem.n ? 0 : static_cast<int>(Kokkos::min(problem.n - at, rows * row_elements));
  }
};

/// The lanes of a reduction: single threads on GPUs without warps.
template <class ExecutionSpace, bool = compat::has_warps<ExecutionSpace>>
struct reduction_lanes {
  using type = internal::one_lane;
};
template <class ExecutionSpace>
struct reduction_lanes<ExecutionSpace, true> {
  using type = internal::lanes_of<ExecutionSpace>;
};

/// What runs a reduction on a GPU.
template <class ExecutionSpace, class Problem>
using device_reduction = reduction_kernel<Problem, typename engine::tuning<ExecutionSpace>::reduction,
                                          typename reduction_lanes<ExecutionSpace>::type>;

/// Whether one team reduces an input by the kernel for that (short_reduction.hpp).
template <class ExecutionSpace, class Problem>
bool is_short_reduction(std::size_t n) {
  if constexpr (compat::has_warps<ExecutionSpace>)
    return n * sizeof(typename decltype(Problem::in)::value_type) <=
           engine::tuning<ExecutionSpace>::short_reduction_bytes;
  else return false;
}

/// Reduces. Pre: problem.n > 0. Unless the reduction is a short one: of_tile has a place for each tile; *arrived is 0,
/// and is so again behind the call.
template <class ExecutionSpace, class Problem>
void reduce_on_gpu(ExecutionSpace const& space, Problem const& problem, typename Problem::state* of_tile,
                   std::uint64_t* arrived, scan_names const& names) {
  if constexpr (compat::has_warps<ExecutionSpace>) {
    using shape = typename engine::tuning<ExecutionSpace>::short_reduction;
    using short_kernel = short_reduction_kernel<Problem, shape, internal::lanes_of<ExecutionSpace>>;
    if (is_short_reduction<ExecutionSpace, Problem>(problem.n))
      return launch_pipeline<shape::teams>(space, short_kernel(problem), 1, "reduce", names);
  }
  using kernel = device_reduction<ExecutionSpace, Problem>;
  typename kernel::cut_type const cut(problem.n);
  launch_pipeline<engine::tuning<ExecutionSpace>::reduction::teams>(
      space, kernel{problem, cut, kernel::tile::goes_by_chunks(problem), of_tile, arrived}, cut.tiles, "reduce", names);
}

}  // namespace upsweep::scan::detail
