// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/grouped_prefixes.hpp>
#include <upsweep/scan/detail/pipelined_tile.hpp>
#include <upsweep/scan/detail/scan_problem.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

// The pipelined engine where the input is no more than a few small tiles, one a team: nothing to overlap, so what counts is
// the number of round trips to memory behind one another. Load, publish, look back, store: four; for one tile two.
//
// Work to threads: `workers` warps hold the tile, one warp more leaves the region ready for the next call while they
// load, and finds the prefix. Team b has tile b: no ticket, which would be a round trip. So a predecessor may not even have
// started; grouped_prefixes.hpp reduces it then. As many tiles as one look-back sees: borders of groups are never waited for.

template <class ExecutionSpace, class Problem, class Shape>
struct few_tiles_kernel {
  using state = typename Problem::state;
  using tile = pipelined_tile<Problem, Shape>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using prefixes_type = grouped_prefixes<typename Problem::monoid_type>;
  static constexpr int workers = Shape::workers;
  static constexpr int team_size = (workers + 1) * warp_size;
  struct scan {};

  Problem problem;
  prefixes_type prefixes;

  struct shared {
    alignas(16) unsigned char stage[tile::bytes];
    state warp_sum[workers];
    state prefix;
  };

  KOKKOS_FUNCTION void operator()(scan, member const& m) const {
    auto& s = *static_cast<shared*>(m.team_scratch(0).get_shmem_aligned(sizeof(shared), 16));
    int const warp = m.team_rank() / warp_size, lane = m.team_rank() % warp_size;
    auto const number = static_cast<std::size_t>(m.league_rank());
    auto const& op = problem.monoid;
    if (warp == workers) {
      bool const alone = prefixes.tiles == 1;
      auto const epoch = alone ? 0 : static_cast<std::uint32_t>(compat::load_word(&prefixes.control->epoch));
      state const init = problem.init.load();
      bool const finished = alone || prefixes.finish_ahead(prefixes.tiles, epoch, lane);  // while the others load
      m.team_barrier();
      state const aggregate = warp::from(sums(s, lane), workers - 1);
      if (alone) {
        if (lane == 0) {
          s.prefix = init;
          problem.total.store(op, op(init, aggregate));
        }
        m.team_barrier();
        return;
      }
      if (lane == 0) prefixes.publish(number, epoch, aggregate);
      auto const found = prefixes.prefix_of(number, epoch, op, init, lane, reduce_tile{*this, lane});
      if (lane == 0) s.prefix = found.before;
      m.team_barrier();
      if (lane == 0 && number + 1 == prefixes.tiles) problem.total.store(op, found.through);
      if (!finished) prefixes.finish(prefixes.tiles, epoch, lane);
      return;
    }
    tile const t = tile_of(s.stage, number, warp, lane);
    if (t.length == tile::size) run<true>(m, s, t, warp, lane);
    else run<false>(m, s, t, warp, lane);
  }

 private:
  KOKKOS_FUNCTION tile tile_of(unsigned char* stage, std::size_t number, int warp, int lane) const {
    std::size_t const begin = number * tile::size;
    return {stage, warp * warp_size + lane, lane, begin, Kokkos::min(problem.n - begin, static_cast<std::size_t>(tile::size))};
  }

  KOKKOS_FUNCTION state sums(shared const& s, int lane) const {
    return warp_scan(problem.monoid, lane < workers ? s.warp_sum[lane] : problem.monoid.identity(), lane);
  }

  template <bool Whole>
  KOKKOS_FUNCTION void run(member const& m, shared& s, tile const& t, int warp, int lane) const {
    auto const& op = problem.monoid;
    t.template load<Whole>(problem);
    state const inclusive = warp_scan(op, t.template fold<Whole>(problem), lane);
    if (lane == warp_size - 1) s.warp_sum[warp] = inclusive;
    state const lane_left = warp::from_below(inclusive, 1);
    m.team_barrier();
    state left = op.identity();
    if (warp > 0) left = warp::from(sums(s, lane), warp - 1);
    if (lane > 0) left = op(left, lane_left);
    m.team_barrier();
    t.template scan<Whole>(problem, op(s.prefix, left));
    t.template unload<Whole>(problem);
  }

  /// The aggregate of another tile, from its input, by the expression of its owner; by one warp.
  struct reduce_tile {
    few_tiles_kernel const& kernel;
    int lane;
    KOKKOS_FUNCTION state operator()(std::size_t number) const {
      auto const& op = kernel.problem.monoid;
      state sums = op.identity();
      for (int w = 0; w < workers; ++w) {
        tile const t = kernel.tile_of(nullptr, number, w, lane);
        state const sum = warp::from(warp_scan(op, t.fold_input(kernel.problem), lane), warp_size - 1);
        if (lane == w) sums = sum;
      }
      return warp::from(warp_scan(op, sums, lane), workers - 1);
    }
  };
};

}  // namespace upsweep::detail
