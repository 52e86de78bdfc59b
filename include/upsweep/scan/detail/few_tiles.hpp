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
// started; grouped_prefixes.hpp reduces it then. As many tiles as one look-back sees: prefixes of groups are never waited for.

template <class ExecutionSpace, class Problem, class Shape>
struct few_tiles_kernel {
  using state = typename Problem::state;
  using tile = pipelined_tile<Problem, Shape>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using prefixes_type = grouped_prefixes<typename Problem::monoid_type>;
  static constexpr int workers = Shape::workers;
  static constexpr int team_size = (workers + 1) * warp_lanes::size;
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
    int const warp = m.team_rank() / warp_lanes::size, lane = m.team_rank() % warp_lanes::size;
    auto const number = static_cast<std::size_t>(m.league_rank());
    auto const& op = problem.monoid;
    bool const works = warp < workers;
    tile const t = tile::at(problem, number, s.stage, warp * warp_lanes::size + lane, lane);
    bool const whole = t.length == tile::size;

    state left = op.identity();  // worker: the fold of the threads to the left, first of those in its warp
    walker walks{};
    if (works) {
      if (whole) left = fold<true>(s, t, warp);
      else left = fold<false>(s, t, warp);
    } else {
      walks = begin(lane);
    }
    m.team_barrier();
    state const sums = scan_lanes<warp_lanes>(op, lane < workers ? s.warp_sum[lane] : op.identity(), lane);
    if (works) {
      state const warps_left = warp_lanes::shuffle(sums, warp > 0 ? warp - 1 : 0);
      if (warp > 0) left = lane == 0 ? warps_left : op(warps_left, left);
    } else {
      find_prefix(s, walks, number, warp_lanes::shuffle(sums, workers - 1), lane);
    }
    m.team_barrier();
    if (works) {
      if (whole) store<true>(s, t, left);
      else store<false>(s, t, left);
    } else if (!walks.finished) {
      prefixes.finish(prefixes.tiles, walks.epoch, lane);
    }
  }

 private:
  struct walker {
    std::uint32_t epoch;
    bool finished;
    state init;
  };

  KOKKOS_FUNCTION bool is_alone() const { return prefixes.tiles == 1; }

  template <bool Whole>
  KOKKOS_FUNCTION state fold(shared& s, tile const& t, int warp) const {
    t.template load<Whole>(problem);
    state const inclusive = scan_lanes<warp_lanes>(problem.monoid, t.template fold<Whole>(problem), t.lane);
    if (t.lane == warp_lanes::size - 1) s.warp_sum[warp] = inclusive;
    state const below = warp_lanes::shuffle_up(inclusive, 1);
    return t.lane == 0 ? problem.monoid.identity() : below;
  }

  template <bool Whole>
  KOKKOS_FUNCTION void store(shared const& s, tile const& t, state const& left) const {
    t.template scan<Whole>(problem, problem.monoid(s.prefix, left));
    t.template unload<Whole>(problem);
  }

  /// The walker, while the others load.
  KOKKOS_FUNCTION walker begin(int lane) const {
    walker w{0, true, problem.init.load()};
    if (!is_alone()) {
      w.epoch = static_cast<std::uint32_t>(compat::load_word(&prefixes.control->epoch));
      w.finished = prefixes.finish_ahead(prefixes.tiles, w.epoch, lane);
    }
    return w;
  }

  KOKKOS_FUNCTION void find_prefix(shared& s, walker const& w, std::size_t number, state const& aggregate, int lane) const {
    auto const& op = problem.monoid;
    typename prefixes_type::prefix found{w.init, w.init};
    if (is_alone()) {
      found.through = op(w.init, aggregate);
    } else {
      if (lane == 0) prefixes.publish(number, w.epoch, aggregate);
      found = prefixes.prefix_of(number, w.epoch, op, w.init, lane, tile_reduction<Problem, Shape>{problem, lane});
    }
    if (lane == 0) {
      s.prefix = found.before;
      if (number + 1 == prefixes.tiles) problem.total.store(op, found.through);
    }
  }
};

}  // namespace upsweep::detail
