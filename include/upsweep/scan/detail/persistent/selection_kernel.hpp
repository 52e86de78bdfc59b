// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/one_pass/one_pass.hpp>
#include <upsweep/scan/detail/one_pass/pipeline_launch.hpp>
#include <upsweep/scan/detail/problem/contiguous_bytes.hpp>
#include <upsweep/scan/detail/tiles/pipeline_hardware.hpp>
#include <upsweep/scan/detail/tiles/selection_rows.hpp>
#include <upsweep/scan/tuning.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

using internal::warp_lanes;

// Selection in one pass, by persistent teams as in pipelined.hpp, with the same copy warp and look-back warp and this
// work in between:
//
//   choose   a warp takes rows of 32 elements out of the stage, one per lane, which stays in a register. The rows'
//            ballots give each element its place among the chosen ones of the warp; sums of the warps its place in the
//            tile. The tile's number of chosen ones is published, and the elements go back into the stage in order:
//            chosen ones, others.
//   store    when the prefix of the tile is there, one round later: the stage's two parts, side by side, to
//            where they belong.
//
// selection_rows.hpp says how. What was tried: to remember the places, two numbers per element instead of one, left no
// registers (2^28 int32, a tenth chosen: 607 us, without 372).
// Memory: every element is read once, and written once if it is wanted;
// where the element before is asked with, up to 64 bytes per tile are read again. Contiguous elements aligned to 16
// bytes come by the hardware's copies, others, and those of the last, partial tile, by the lanes' own loads. Stores
// start anywhere: by lanes.
// Progress: there is no fallback for a stalled tile, because the user's functor is called once per element. Tiles are
// taken by ticket, so that a tile is waited for by teams only when its own team runs; CUDA promises that it goes on.
// Tools: racecheck (CUDA 13.0) does not see that a warp's lanes have met before one of them arrives at a barrier, here
// and in pipelined.hpp, and reports stages that are used again; when all lanes of the workers arrive, only the
// look-back warp's are left.

template <class ExecutionSpace, class Problem, class Shape>
struct selection_kernel {
  using element = typename Problem::element;
  using counts = typename Problem::monoid;
  // Of pairs of counts the look-back warp reads fewer groups tile by tile:
  // with 4 it spilled 116 bytes per thread, and 36 for int64 (nvcc 13).
  using prefixes_type = decoupled_look_back<counts, warp_lanes, Problem::parts == 2 ? groups_by_tile<counts> : 2>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using part = selection_rows<Problem, Shape::workers, Shape::bytes_per_thread, warp_lanes>;
  static constexpr int stages = Shape::stages;
  static constexpr int workers = Shape::workers;
  static constexpr int threads = part::threads;
  static constexpr int team_size = (workers + 2) * warp_lanes::size;
  static constexpr int size = part::size;
  static constexpr bool can_copy_in = is_contiguous_sequence<decltype(Problem::in)>;
  struct scan {};

  Problem problem;
  prefixes_type prefixes;
  bool copy_in;  ///< by the hardware

  struct shared {
    alignas(128) unsigned char stage[stages][part::bytes_before + size * sizeof(element)];
    typename Problem::counts before[stages];  ///< chosen elements of all tiles before
    std::uint64_t number[stages];             ///< of the tile; not less than `tiles` for none
    std::uint32_t warp_count[2][workers];
    int chosen[stages];  ///< of the tile, as selection_rows counts
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

  KOKKOS_FUNCTION void move(shared& s, int lane, std::uint32_t epoch, std::uint64_t teams) const {
    if (lane == 0) {
      turn in, out;
      bool turned = false;  // every stage has been used
      bool const backwards = problem.order.backwards();
      for (;;) {
        std::uint64_t const next = Kokkos::atomic_fetch_add(&prefixes.control->ticket, std::uint64_t(1));
        if (turned) {
          s.done[out.stage].wait(out.parity);
          out.advance();
        }
        s.number[in.stage] = next;
        if (next >= prefixes.tiles) break;
        std::size_t const first = part::begin_of(next, prefixes.tiles, backwards);
        if (can_copy_in && copy_in && part::is_whole(problem, first)) {
          constexpr auto bytes = static_cast<std::uint32_t>(size * sizeof(element));
          // The first tile has nothing before it; what is there then is asked for and not used.
          std::uint32_t const before = first > 0 ? part::bytes_before : 0;
          s.full[in.stage].arrive_expecting(before + bytes);
          bulk_copy::load(s.stage[in.stage] + part::bytes_before - before,
                          contiguous_bytes(problem.in) + first * sizeof(element) - before, before + bytes,
                          s.full[in.stage]);
        } else {
          s.full[in.stage].arrive();
        }
        if constexpr (reads_ahead<typename Problem::chosen_type>) prefetch_for_choice(first);
        in.advance();
        turned = turned || in.stage == 0;
      }
      s.full[in.stage].arrive();
      for (; out.stage != in.stage || out.parity != in.parity; out.advance()) s.done[out.stage].wait(out.parity);
    }
    warp_lanes::sync();
    prefixes.finish(teams, epoch, lane);
  }

  /// Whole pieces of 16 bytes, the one in which the memory begins too.
  KOKKOS_FUNCTION void prefetch_for_choice(std::size_t first) const {
    constexpr std::size_t piece = 16, each = Problem::chosen_type::bytes_ahead;
    auto const begin = reinterpret_cast<std::uintptr_t>(problem.chosen.ahead()) + first * each;
    std::uintptr_t const from = begin / piece * piece;
    std::uintptr_t const to = (begin + static_cast<std::size_t>(part::length(problem, first)) * each) / piece * piece;
    if (from < to) bulk_copy::prefetch(reinterpret_cast<void const*>(from), static_cast<std::uint32_t>(to - from));
  }

  KOKKOS_FUNCTION void look_back_for_tile(shared& s, int lane, std::uint32_t epoch) const {
    for (turn now;; now.advance()) {
      s.full[now.stage].wait(now.parity);
      std::size_t const number = s.number[now.stage];
      if (number >= prefixes.tiles) return;
      auto const found = prefixes.wait_for_prefix(number, epoch, counts{}, counts{}.identity(), lane, no_fallback{});
      if (lane == 0) {
        if (prefixes.in_place) Kokkos::memory_fence();  // see striped_selection.hpp
        s.before[now.stage] = found.exclusive;
        if (number + 1 == prefixes.tiles) problem.finish(found.inclusive);
        s.ready[now.stage].arrive();
      }
      warp_lanes::sync();
    }
  }

  KOKKOS_FUNCTION void work(shared& s, int warp, int lane, std::uint32_t epoch) const {
    turn now, before;
    bool const backwards = problem.order.backwards();
    bool first = true;
    for (unsigned round = 0;; ++round) {
      s.full[now.stage].wait(now.parity);
      std::size_t const number = s.number[now.stage];
      bool const ends = number >= prefixes.tiles;
      if (ends) {
        barrier_of_first(threads);  // all have put back their part of the tile before
      } else {
        std::size_t const begin = part::begin_of(number, prefixes.tiles, backwards);
        if (part::is_whole(problem, begin))
          choose<true>(s, number, begin, now.stage, round, warp, lane, epoch, backwards);
        else choose<false>(s, number, begin, now.stage, round, warp, lane, epoch, backwards);
        now.advance();
      }
      if (!first) {
        s.ready[before.stage].wait(before.parity);
        if (backwards) store<true>(s, before.stage, warp * warp_lanes::size + lane);
        else store<false>(s, before.stage, warp * warp_lanes::size + lane);
        bulk_copy::publish_scratch();
        warp_lanes::sync();
        if (lane == 0) s.done[before.stage].arrive();
        before.advance();
      }
      if (ends) return;
      first = false;
    }
  }

  template <bool Whole>
  KOKKOS_FUNCTION void choose(shared& s, std::size_t number, std::size_t begin, int stage, unsigned round, int warp,
                              int lane, std::uint32_t epoch, bool backwards) const {
    auto* const slots = reinterpret_cast<element*>(s.stage[stage] + part::bytes_before);
    part mine;
    mine.template set_place<Whole>(problem, begin, warp, lane);
    auto const load = [&] {
      if (Whole && can_copy_in && copy_in) mine.load(slots);
      else mine.template load<Whole>(problem);
    };
    // What does not ask for elements comes first: partition_copy of int32 by flags spilled 156 bytes per thread the
    // other way (nvcc 13).
    constexpr bool chooses_first =
        reads_ahead<typename Problem::chosen_type> || has_part_bits<typename Problem::chosen_type>;
    if constexpr (!chooses_first) load();
    std::uint32_t const warp_sum = mine.template choose<Whole>(problem, backwards);
    if constexpr (chooses_first) load();
    if (prefixes.in_place) Kokkos::memory_fence();
    std::uint32_t* const warp_count = s.warp_count[round & 1u];
    if (lane == 0) warp_count[warp] = warp_sum;
    barrier_of_first(threads);  // all have taken out their part of the tile, too
    using warp_sums = internal::warp_sums<warp_lanes, workers>;
    std::uint32_t const sums = warp_sums::scan(plus<std::uint32_t>{}, lane < workers ? warp_count[lane] : 0u, lane);
    int const all = static_cast<int>(warp_sums::total(sums));
    if (warp == 0 && lane == 0) {
      if (prefixes.in_place) Kokkos::memory_fence();
      prefixes.publish(number, epoch, part::state_of(static_cast<std::uint32_t>(all)));
      s.chosen[stage] = all;
    }
    mine.template put<Whole>(slots, lane, warp > 0 ? static_cast<int>(warp_sums::before(sums, warp)) : 0, all);
  }

  /// Pre: all have put back their part, and the prefix is there.
  template <bool Backwards>
  KOKKOS_FUNCTION void store(shared const& s, int stage, int thread) const {
    part::template store<Backwards>(problem, part::begin_of(s.number[stage], prefixes.tiles, Backwards),
                                    reinterpret_cast<element const*>(s.stage[stage] + part::bytes_before),
                                    s.chosen[stage], s.before[stage], thread);
  }
};

/// Selection on devices with bulk copies.
struct pipelined_selection {
  template <class ExecutionSpace>
  using shape = typename engine::tuning<ExecutionSpace>::selection;

  template <class ExecutionSpace, class T, class Shape>
  static constexpr std::size_t tile_size = selection_tile_size<T, Shape::workers, Shape::bytes_per_thread, warp_lanes>;

  template <class ExecutionSpace>
  static std::size_t region_bytes(std::size_t tiles) {
    return one_pass_bytes<plus<std::uint64_t>, warp_lanes>(tiles);
  }

  /// Pre: n > 0; the region is as long as region_bytes() says and was zeroed before its first use.
  template <class Shape, class ExecutionSpace, class Problem>
  static void select(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                     scan_names const& names) {
    using kernel = selection_kernel<ExecutionSpace, Problem, Shape>;
    std::size_t const tiles = internal::divide_up<std::size_t>(problem.n, kernel::size);
    auto const prefixes =
        make_prefixes<typename kernel::prefixes_type, ExecutionSpace>(memory, tiles, problem.in_place);
    bool const copy_in =
        kernel::can_copy_in && reinterpret_cast<std::uintptr_t>(contiguous_bytes(problem.in)) % 16 == 0;
    auto const most = static_cast<std::size_t>(compat::multiprocessors(space)) * Shape::teams;
    launch_pipeline<Shape::teams>(space, kernel{problem, prefixes, copy_in}, std::min(tiles, most), "select", names);
  }
};

}  // namespace upsweep::scan::detail
