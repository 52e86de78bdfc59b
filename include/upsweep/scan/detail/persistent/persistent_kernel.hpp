// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/scan/detail/one_pass/pipeline_launch.hpp>
#include <upsweep/scan/detail/tiles/pipeline_hardware.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

using internal::warp_lanes;

// Persistent teams in which copying, waiting and combining go on at the same time. Scans (pipelined.hpp), selections
// (pipelined_selection.hpp), runs (pipelined_runs.hpp) and their sums (pipelined_run_sums.hpp) are made of it; a Work
// says what is done with a tile.
//
//   copy warp       takes tiles by ticket, has them copied into stages of scratch, and finished ones copied out
//   look-back warp  finds the prefix of each tile (decoupled_look_back.hpp)
//   workers         all other warps: fold tile i and publish its aggregate; then, when its prefix
//                   is there, emit tile i-1
//
// A stage is used in turn: the copy warp fills it (`full`), workers fold it, the look-back warp sets its prefix
// (`ready`), workers emit it (`done`), the copy warp stores it and fills it again.
// So a prefix has the time of a whole fold to arrive, and the next tiles are in flight meanwhile: what a look-back
// costs is hidden, where one_pass.hpp waits for it.
//
// Shared state and memory order: decoupled_look_back.hpp between teams, phase_barrier between the warps of a team.
// Progress: started teams publish aggregates without waiting for later tiles. The Work's fallback says what is done
// about a tile before whose team does not go on.
// Tools: racecheck (CUDA 13.0) does not see that a warp's lanes have met before one of them arrives at a barrier, and
// reports stages that are used again; when all lanes of the workers arrive, only the look-back warp's are left.
//
// A Work has:
//   shape, prefixes_type       how tiles are cut (engine::pipeline_shape), and the decoupled_look_back
//   stage_bytes                of a tile in scratch, a multiple of 16
//   scratch                    what workers share beside the stages
//   kept                       what a thread of the workers keeps of a tile from its fold until its prefix is there
//   monoid(), init(), finish(through), fallback(lane), backwards()
//                              as in one_pass.hpp
//   falls_back_from_first      decoupled_look_back.hpp, wait_for_prefix()
//   emits_parts_of_others      whether a warp emits what other warps have left in the stage
//   stores_by_copy             whether there is a store_by_copy()
//   fill(tile, tiles, backwards, full), by one thread
//                              has a tile copied into its stage, and arrives at `full`; if workers load it, it only
//                              arrives
//   store_by_copy(tile), by one thread
//                              has a finished tile copied out of its stage, unless workers have stored it
//   fold(prefixes, scratch, tile, round, me), by the workers
//                              publishes the aggregate of a tile, behind a barrier of all workers
//   emit(tiles, scratch, tile, prefix, kept, me), by the workers
//                              behind the prefix of a tile

/// A tile in its stage.
struct staged_tile {
  std::size_t number;
  int stage;
  unsigned char* bytes;
};

/// A thread of the workers.
struct worker_thread {
  int warp, lane;
  std::uint32_t epoch;
  bool backwards;
  KOKKOS_FORCEINLINE_FUNCTION int thread() const { return warp * warp_lanes::size + lane; }
};

template <class ExecutionSpace, class Work>
struct persistent_kernel {
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using prefixes_type = typename Work::prefixes_type;
  using state = typename prefixes_type::state;
  static constexpr int stages = Work::shape::stages;
  static constexpr int workers = Work::shape::workers;
  static constexpr int team_size = (workers + 2) * warp_lanes::size;
  static_assert(Work::stage_bytes % 16 == 0, "upsweep: the hardware copies whole pieces of 16 bytes.");
  struct scan {};

  Work work;
  prefixes_type prefixes;

  struct shared {
    unsigned char stage[stages][Work::stage_bytes];  // at an address that is a multiple of 128
    typename Work::scratch of_work;
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
    if (warp < workers) fold_and_emit(s, warp, lane, epoch);
    else if (warp == workers) move(s, lane, epoch, static_cast<std::uint64_t>(m.league_size()));
    else look_back_for_tile(s, lane, epoch);
  }

 private:
  using turn = stage_cursor<stages>;

  KOKKOS_FUNCTION static staged_tile tile_in(shared& s, std::size_t number, int stage) {
    return {number, stage, s.stage[stage]};
  }

  KOKKOS_FUNCTION void move(shared& s, int lane, std::uint32_t epoch, std::uint64_t teams) const {
    if (lane == 0) {
      turn in, out;
      bool turned = false;  // every stage has been used
      bool const backwards = work.backwards();
      for (;;) {
        std::uint64_t const next = Kokkos::atomic_fetch_add(&prefixes.control->ticket, std::uint64_t(1));
        if (turned) {
          store(s, out);
          if constexpr (Work::stores_by_copy) bulk_copy::wait_for_stores();
          out.advance();
        }
        s.number[in.stage] = next;
        if (next >= prefixes.tiles) break;
        work.fill(tile_in(s, next, in.stage), prefixes.tiles, backwards, s.full[in.stage]);
        in.advance();
        turned = turned || in.stage == 0;
      }
      s.full[in.stage].arrive();
      for (; out.stage != in.stage || out.parity != in.parity; out.advance()) store(s, out);
      if constexpr (Work::stores_by_copy) bulk_copy::wait_for_stores();
    }
    warp_lanes::sync();
    prefixes.finish(teams, epoch, lane);
  }

  /// Waits until a tile is done, and stores it if its Work does so here.
  KOKKOS_FUNCTION void store(shared& s, turn const& out) const {
    s.done[out.stage].wait(out.parity);
    if constexpr (Work::stores_by_copy) work.store_by_copy(tile_in(s, s.number[out.stage], out.stage));
  }

  KOKKOS_FUNCTION void look_back_for_tile(shared& s, int lane, std::uint32_t epoch) const {
    for (turn now;; now.advance()) {
      s.full[now.stage].wait(now.parity);
      std::size_t const number = s.number[now.stage];
      if (number >= prefixes.tiles) return;
      auto const found = prefixes.template wait_for_prefix<Work::falls_back_from_first>(
          number, epoch, work.monoid(), work.init(), lane, work.fallback(lane));
      if (lane == 0) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(work.fallback(lane))>, no_fallback>)
          if (prefixes.in_place) Kokkos::memory_fence();  // see striped_selection.hpp
        s.prefix[now.stage] = found.exclusive;
        if (number + 1 == prefixes.tiles) work.finish(found.inclusive);
        s.ready[now.stage].arrive();
      }
      warp_lanes::sync();
    }
  }

  KOKKOS_FUNCTION void fold_and_emit(shared& s, int warp, int lane, std::uint32_t epoch) const {
    turn now, before;
    worker_thread const me{warp, lane, epoch, work.backwards()};
    typename Work::kept kept{};  // of the tile before
    bool first = true;
    for (unsigned round = 0;; ++round) {
      s.full[now.stage].wait(now.parity);
      std::size_t const number = s.number[now.stage];
      bool const ends = number >= prefixes.tiles;
      auto next_kept = kept;
      if (!ends) {
        next_kept = work.fold(prefixes, s.of_work, tile_in(s, number, now.stage), round, me);
        now.advance();
      } else if (Work::emits_parts_of_others || prefixes.in_place) {
        // All have left their parts of the last tile. In place, nobody stores it before warp 0 has published its
        // aggregate and fenced: until then others may read its input, to fall back. For tiles before the last, the
        // barrier of the next fold sees to both.
        barrier_of_first(workers * warp_lanes::size);
      }
      if (!first) {
        s.ready[before.stage].wait(before.parity);
        work.emit(prefixes.tiles, s.of_work, tile_in(s, s.number[before.stage], before.stage), s.prefix[before.stage],
                  kept, me);
        bulk_copy::publish_scratch();
        warp_lanes::sync();
        if (lane == 0) s.done[before.stage].arrive();
        before.advance();
      }
      if (ends) return;
      first = false;
      kept = next_kept;
    }
  }
};

}  // namespace upsweep::scan::detail
