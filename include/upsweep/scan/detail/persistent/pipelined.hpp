// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/one_pass/one_wave_scan.hpp>
#include <upsweep/scan/detail/one_pass/pipeline_launch.hpp>
#include <upsweep/scan/detail/one_pass/warp_look_back.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/detail/tiles/segmented_pipelined_tile.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upsweep::scan::detail {

using internal::warp_lanes;

// Pipelined look-back: persistent teams in which copying, waiting and combining go on at the same time.
//
//   copy warp       takes tiles by ticket, has them copied into stages of scratch, and finished ones copied out
//   look-back warp  finds the prefix of each tile (decoupled_look_back.hpp)
//   workers         all other warps: fold tile i and publish its aggregate; then, when its prefix
//                   is there, scan tile i-1
//
// A stage is used in turn: the copy warp fills it (`full`), workers fold it, the look-back warp sets its prefix
// (`ready`), workers scan it in place (`done`), the copy warp stores it and fills it again.
// So a prefix has the time of a whole fold to arrive, and the next tiles are in flight meanwhile: what a look-back
// costs is hidden, where one_pass.hpp waits for it.
//
// Memory: N reads and N writes. Contiguous Views aligned to 16 bytes are copied by the hardware; anything else
// (functors, strides, other types than the other side, the last, partial tile) is loaded and stored by the workers,
// neighbouring lanes at neighbouring elements, through the same stages: the same bits.
// Association: an element's result is prefix(tile) * sums of the warps before * scan of the threads before *
//   elements before.
// Progress: started teams publish aggregates without waiting for later tiles;
// decoupled_look_back.hpp reduces the tile of one that does not.

template <class ExecutionSpace, class Problem, class Shape, class Tile>
struct pipelined_kernel {
  using state = typename Problem::state;
  using tile = Tile;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using prefixes_type = decoupled_look_back<typename Problem::monoid_type>;
  static constexpr int stages = Shape::stages;
  static constexpr int workers = Shape::workers;
  static constexpr int team_size = (workers + 2) * warp_lanes::size;
  struct scan {};

  Problem problem;
  prefixes_type prefixes;
  bool copy_in, copy_out;  ///< by the hardware

  struct shared {
    unsigned char stage[stages][tile::stage_bytes];
    state warp_sum[2][workers];
    state prefix[stages];
    std::uint64_t number[stages];  ///< of the tile; not less than `tiles` for none
    phase_barrier full[stages], ready[stages], done[stages];
  };

  KOKKOS_FUNCTION void operator()(scan, member const& m) const {
    auto& s = *static_cast<shared*>(m.team_scratch(0).get_shmem_aligned(sizeof(shared), 128));
    int const warp = m.team_rank() / warp_lanes::size, lane = m.team_rank() % warp_lanes::size;
    auto const epoch = static_cast<std::uint32_t>(compat::load_word(&prefixes.control->epoch));
    if (m.team_rank() == 0) {
      for (int k = 0; k < stages; ++k) {
        s.full[k].init(1);
        s.ready[k].init(1);
        s.done[k].init(workers);
      }
      phase_barrier::publish_init();
    }
    m.team_barrier();
    if (warp < workers) work(s, warp, lane, epoch);
    else if (warp == workers) move(s, lane, epoch, static_cast<std::uint64_t>(m.league_size()));
    else look_back_for_tile(s, lane, epoch);
  }

 private:
  using turn = stage_cursor<stages>;

  KOKKOS_FUNCTION bool is_whole(std::size_t number) const { return (number + 1) * tile::size <= problem.n; }

  KOKKOS_FUNCTION void move(shared& s, int lane, std::uint32_t epoch, std::uint64_t teams) const {
    if (lane == 0) {
      auto const take = [&] { return Kokkos::atomic_fetch_add(&prefixes.control->ticket, std::uint64_t(1)); };
      std::uint64_t next = take();
      turn in, out;
      bool turned = false;  // every stage has been used
      for (;;) {
        if (turned) {
          store(s, out);
          bulk_copy::wait_for_stores();
          out.advance();
        }
        s.number[in.stage] = next;
        if (next >= prefixes.tiles) break;
        if (tile::can_copy_in && copy_in && is_whole(next)) {
          tile::copy_in(problem, next, s.stage[in.stage], s.full[in.stage]);
        } else {
          s.full[in.stage].arrive();
        }
        next = take();
        in.advance();
        turned = turned || in.stage == 0;
      }
      s.full[in.stage].arrive();
      while (out.stage != in.stage || out.parity != in.parity) {
        store(s, out);
        out.advance();
      }
      bulk_copy::wait_for_stores();
    }
    warp_lanes::sync();
    prefixes.finish(teams, epoch, lane);
  }

  /// Stores a tile when it is done, unless the workers have.
  KOKKOS_FUNCTION void store(shared& s, turn const& out) const {
    s.done[out.stage].wait(out.parity);
    std::size_t const number = s.number[out.stage];
    if (tile::can_copy_out && copy_out && is_whole(number)) tile::copy_out(problem, number, s.stage[out.stage]);
  }

  KOKKOS_FUNCTION void look_back_for_tile(shared& s, int lane, std::uint32_t epoch) const {
    for (turn now;; now.advance()) {
      s.full[now.stage].wait(now.parity);
      std::size_t const number = s.number[now.stage];
      if (number >= prefixes.tiles) return;
      auto const found = prefixes.template wait_for_prefix<tile::falls_back_from_first>(
          number, epoch, problem.monoid, problem.init.load(), lane, tile_reduction<tile, Problem>{problem, lane});
      if (lane == 0) {
        s.prefix[now.stage] = found.exclusive;
        if (number + 1 == prefixes.tiles) problem.total.store(problem.monoid, found.inclusive);
        s.ready[now.stage].arrive();
      }
      warp_lanes::sync();
    }
  }

  KOKKOS_FUNCTION void work(shared& s, int warp, int lane, std::uint32_t epoch) const {
    turn now, before;
    // of the tile before: the fold of the threads to the left; not of the first thread
    state left = problem.monoid.identity();
    typename tile::note note{};  // of the tile before
    bool first = true;
    for (unsigned round = 0;; ++round) {
      s.full[now.stage].wait(now.parity);
      std::size_t const number = s.number[now.stage];
      bool const ends = number >= prefixes.tiles;
      state next_left = left;
      typename tile::note next_note = note;
      if (!ends) {
        next_left = fold(s, number, now.stage, round, warp, lane, epoch, next_note);
        now.advance();
      } else if (prefixes.in_place) {
        // Nobody stores the last tile before warp 0 has published its aggregate and fenced: until then others may read
        // its input, to fall back. For tiles before the last, the barrier of the next fold sees to that.
        barrier_of_first(workers * warp_lanes::size);
      }
      if (!first) {
        s.ready[before.stage].wait(before.parity);
        std::size_t const finished = s.number[before.stage];
        tile const t = tile::at(problem, finished, s.stage[before.stage], warp * warp_lanes::size + lane, lane);
        // Nothing is before the first thread: the prefix may be -0.0, which a sum with the identity is not.
        state const running = t.thread == 0 ? s.prefix[before.stage] : problem.monoid(s.prefix[before.stage], left);
        if (is_whole(finished)) {
          t.template scan<true>(problem, running, note);
          if (!(tile::can_copy_out && copy_out)) t.template unload<true>(problem);
        } else {
          t.template scan<false>(problem, running, note);
          t.template unload<false>(problem);
        }
        bulk_copy::publish_scratch();
        warp_lanes::sync();
        if (lane == 0) s.done[before.stage].arrive();
        before.advance();
      }
      if (ends) return;
      first = false;
      left = next_left;
      note = next_note;
    }
  }

  /// Publishes the aggregate of a tile; returns the fold of the threads to the left, of the first thread
  /// nothing of use.
  KOKKOS_FUNCTION state fold(shared& s, std::size_t number, int stage, unsigned round, int warp, int lane,
                             std::uint32_t epoch, typename tile::note& note) const {
    auto const& op = problem.monoid;
    tile const t = tile::at(problem, number, s.stage[stage], warp * warp_lanes::size + lane, lane);
    state sum;
    if (is_whole(number)) {
      if (tile::can_copy_in && copy_in) note = t.copied(problem);
      else note = t.template load<true>(problem);
      sum = t.template fold<true>(problem, note);
    } else {
      note = t.template load<false>(problem);
      sum = t.template fold<false>(problem, note);
    }
    state const inclusive = internal::scan_warp<warp_lanes>(op, sum, s.warp_sum[round & 1u], warp, lane);
    state const lane_left = warp_lanes::shuffle_up(inclusive, 1);
    barrier_of_first(workers * warp_lanes::size);
    using warp_sums = internal::warp_sums<warp_lanes, workers>;
    state const sums = warp_sums::scan(op, lane < workers ? s.warp_sum[round & 1u][lane] : op.identity(), lane);
    if (warp == 0 && lane == workers - 1) prefixes.publish(number, epoch, sums);
    if (warp == 0) return lane_left;
    state const warps_left = warp_sums::before(sums, warp);
    return lane == 0 ? warps_left : op(warps_left, lane_left);
  }
};

/// Inputs that are too short for persistent teams.
template <class ExecutionSpace, class Problem, class Tuning>
struct short_scans : one_wave_scan<ExecutionSpace, Problem, Tuning> {};
template <class ExecutionSpace, class Problem, class Tuning>
  requires(takes_segmented_tile<Problem>::value)
struct short_scans<ExecutionSpace, Problem, Tuning> {
  static constexpr std::size_t most = Tuning::pipelined_segments_bytes / pipelined_slot<problem_of_values<Problem>> - 1;
  static constexpr bool takes(std::size_t n) { return n <= most; }
  static std::size_t region_bytes(std::size_t n) {
    return warp_look_back_engine::region_bytes<ExecutionSpace, Problem>(n <= most ? n : most);
  }
  static void scan(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                   scan_names const& names) {
    warp_look_back_engine::scan(space, problem, memory, names);
  }
};

struct pipelined_engine {
  static constexpr engine_memory memory = engine_memory::protocol;

  /// Whether it can run a problem on a backend. Others run look_back instead.
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes() {
    if constexpr (compat::has_bulk_copies<ExecutionSpace>)
      return pipeline_of<Problem, engine::tuning<ExecutionSpace>>::possible;
    else return false;
  }

  /// Bytes of the protocol's region for scans of up to n elements.
  template <class ExecutionSpace, class Problem, class Tuning = engine::tuning<ExecutionSpace>>
  static std::size_t region_bytes(std::size_t n) {
    using shorter = short_scans<ExecutionSpace, Problem, Tuning>;
    if (shorter::takes(n)) return shorter::region_bytes(n);
    std::size_t const tiles = internal::divide_up<std::size_t>(n, pipeline_of<Problem, Tuning>::tile::size);
    return std::max(shorter::region_bytes(n), prefix_bytes<decoupled_look_back<typename Problem::monoid_type>>(tiles));
  }

  /// AnyLength: persistent teams, whatever n is. Pre: n > 0; takes(); the region is as long as region_bytes() says, or
  /// with AnyLength as so many of these tiles take, and was zeroed before its first use.
  template <bool AnyLength = false, class ExecutionSpace, class Problem, class Tuning = engine::tuning<ExecutionSpace>>
  static void scan(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                   scan_names const& names) {
    if constexpr (!AnyLength) {
      using shorter = short_scans<ExecutionSpace, Problem, Tuning>;
      if (shorter::takes(problem.n)) return shorter::scan(space, problem, memory, names);
    }
    using shape = typename pipeline_of<Problem, Tuning>::shape;
    using kernel = pipelined_kernel<ExecutionSpace, Problem, shape, typename pipeline_of<Problem, Tuning>::tile>;
    using tile = typename kernel::tile;
    auto const prefixes = make_prefixes<typename kernel::prefixes_type, ExecutionSpace>(
        memory, internal::divide_up<std::size_t>(problem.n, tile::size), may_be_in_place(problem));
    auto const most = static_cast<std::size_t>(compat::multiprocessors(space)) * shape::teams;
    launch_pipeline<shape::teams>(space,
                                  kernel{problem, prefixes, tile::aligned_in(problem), tile::aligned_out(problem)},
                                  std::min(prefixes.tiles, most), "pipelined", names);
  }
};

}  // namespace upsweep::scan::detail
