// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/grouped_prefixes.hpp>
#include <upsweep/scan/detail/pipeline_launch.hpp>
#include <upsweep/scan/detail/pipelined_tile.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::detail {

/// From which end elements are taken, and for which tiles it is known already what is chosen, a bit an element. Constant while the
/// kernel runs.
struct first_to_last {
  KOKKOS_FUNCTION static constexpr bool backwards() { return false; }
  KOKKOS_FUNCTION static constexpr bool knows(std::size_t) { return false; }
  KOKKOS_FUNCTION static constexpr bool chosen(std::size_t, int) { return false; }
};

/// Elements that are told apart in one pass. chosen(element, index) says for which part; out.chosen(place, element) takes the chosen
/// ones up to out.room, and out.rest(place, element), if Out::wants_rest, the others, both with their places in their part;
/// out.finish(count of chosen ones) is called once. Backwards, places count from the last element on.
template <class In, class Chosen, class Out, class Order = first_to_last>
struct selection_problem {
  using element = typename In::value_type;
  using out_type = Out;
  In in;
  Chosen chosen;
  Out out;
  std::size_t n;
  Order order;
};

// Selection in one pass, by persistent teams as in pipelined.hpp, with the same mover and walker and this work in between:
//
//   choose   a warp takes rows of 32 elements out of the stage, a lane an element, which stays in a register. The rows' ballots
//            give each element its place among the chosen ones of the warp; sums of the warps its place in the tile. The
//            tile's number of chosen ones is published, and the elements go back into the stage in order: chosen ones, others.
//   store    when the prefix of the tile is there, one round later: the stage's two parts, side by side, to where they belong.
//
// Rows and not a stretch a thread, as scans have: the user's functor reads neighbouring memory in neighbouring lanes, and lanes
// that put back neighbours do not meet in a bank. What was tried: to remember the places, two numbers an element instead of one,
// left no registers (2^28 int32, a tenth chosen: 607 us, without 372).
// Memory: every element is read once, and written once if it is wanted; contiguous elements aligned to 16 bytes come by the
// hardware's copies, others, and those of the last, partial tile, by the lanes' own loads. Stores start anywhere: by lanes.
// Progress: nobody stands in for a silent tile, because the user's functor is called once an element. Tiles are taken by
// ticket, so that a tile is waited for by teams only when its own team runs; CUDA promises that it goes on.
// Tools: racecheck (CUDA 13.0) does not see that a warp's lanes have met before one of them arrives at a barrier, here and in
// pipelined.hpp, and reports stages that are used again; when all lanes of the workers arrive, only the walker's are left.

/// Rows of a warp: not more than a thread has bits to remember.
template <class T, class Shape>
inline constexpr int selection_rows = std::clamp(Shape::bytes_per_thread / static_cast<int>(sizeof(T)), 1, 32);
/// Elements of a tile.
template <class T, class Shape>
inline constexpr int selection_tile_size = Shape::workers * warp_lanes::size * selection_rows<T, Shape>;

template <class ExecutionSpace, class Problem, class Shape>
struct selection_kernel {
  using element = typename Problem::element;
  using counts = plus<std::uint64_t>;
  using prefixes_type = grouped_prefixes<counts>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  static constexpr int stages = Shape::stages;
  static constexpr int workers = Shape::workers;
  static constexpr int threads = workers * warp_lanes::size;
  static constexpr int team_size = (workers + 2) * warp_lanes::size;
  static constexpr int rows = selection_rows<element, Shape>;
  static constexpr int size = selection_tile_size<element, Shape>;
  static_assert(size % 64 == 0);
  static constexpr bool can_copy_in = is_contiguous_sequence<decltype(Problem::in)>;
  struct scan {};

  Problem problem;
  prefixes_type prefixes;
  bool copy_in;  ///< by the hardware

  struct shared {
    alignas(128) unsigned char stage[stages][size * sizeof(element)];
    std::uint64_t before[stages];  ///< chosen elements of all tiles before
    std::uint64_t number[stages];  ///< of the tile; not less than `tiles` for none
    std::uint32_t warp_count[2][workers];
    int chosen[stages];
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
    else walk(s, lane, epoch);
  }

 private:
  using turn = pipeline_turn<stages>;

  /// The first element of the tile that is taken as `number`, whether it has all its elements, and how many.
  KOKKOS_FUNCTION std::size_t begin(std::size_t number, bool backwards) const {
    return (backwards ? prefixes.tiles - 1 - number : number) * size;
  }
  KOKKOS_FUNCTION bool is_whole(std::size_t first) const { return first + size <= problem.n; }
  KOKKOS_FUNCTION int length(std::size_t first) const {
    return static_cast<int>(Kokkos::min(problem.n - first, static_cast<std::size_t>(size)));
  }

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
        std::size_t const first = begin(next, backwards);
        if (can_copy_in && copy_in && is_whole(first)) {
          constexpr auto bytes = static_cast<std::uint32_t>(size * sizeof(element));
          s.full[in.stage].arrive_expecting(bytes);
          bulk_copy::load(s.stage[in.stage], contiguous_bytes(problem.in) + first * sizeof(element), bytes, s.full[in.stage]);
        } else {
          s.full[in.stage].arrive();
        }
        in.advance();
        turned = turned || in.stage == 0;
      }
      s.full[in.stage].arrive();
      for (; out.stage != in.stage || out.parity != in.parity; out.advance()) s.done[out.stage].wait(out.parity);
    }
    warp_lanes::sync();
    prefixes.finish(teams, epoch, lane);
  }

  KOKKOS_FUNCTION void walk(shared& s, int lane, std::uint32_t epoch) const {
    for (turn now;; now.advance()) {
      s.full[now.stage].wait(now.parity);
      std::size_t const number = s.number[now.stage];
      if (number >= prefixes.tiles) return;
      auto const found = prefixes.prefix_of(number, epoch, counts{}, std::uint64_t(0), lane, no_help{});
      if (lane == 0) {
        s.before[now.stage] = found.before;
        if (number + 1 == prefixes.tiles) problem.out.finish(problem.order.backwards() ? problem.n - found.through : found.through);
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
        if (is_whole(begin(number, backwards))) choose<true>(s, number, now.stage, round, warp, lane, epoch, backwards);
        else choose<false>(s, number, now.stage, round, warp, lane, epoch, backwards);
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
  KOKKOS_FUNCTION void choose(shared& s, std::size_t number, int stage, unsigned round, int warp, int lane, std::uint32_t epoch,
                              bool backwards) const {
    auto* const slots = reinterpret_cast<element*>(s.stage[stage]);
    std::size_t const tile_begin = begin(number, backwards);
    int const there = Whole ? size : length(tile_begin);
    int const first = warp * rows * warp_lanes::size + lane;
    element mine[rows];
    if (Whole && can_copy_in && copy_in) {
      UPSWEEP_UNROLL
      for (int r = 0; r < rows; ++r) mine[r] = slots[first + r * warp_lanes::size];
    } else {
      UPSWEEP_UNROLL
      for (int r = 0; r < rows; ++r) {
        // Elements that are not there: the last one again, so that no load waits for a branch.
        int const at = first + r * warp_lanes::size;
        mine[r] = problem.in.load(tile_begin + static_cast<std::size_t>(Whole ? at : Kokkos::min(at, there - 1)));
      }
    }
    std::uint32_t is_chosen = 0;  // a bit a row
    if (std::size_t const tile = tile_begin / size; problem.order.knows(tile)) {
      for (int r = 0; r < rows; ++r) {
        int const at = first + r * warp_lanes::size;
        if ((Whole || at < there) && problem.order.chosen(tile, at)) is_chosen |= 1u << r;
      }
    } else {
      UPSWEEP_UNROLL
      for (int r = 0; r < rows; ++r) {
        int const at = first + r * warp_lanes::size;
        if ((Whole || at < there) && problem.chosen(mine[r], tile_begin + static_cast<std::size_t>(at))) is_chosen |= 1u << r;
      }
    }
    if (backwards) {
      constexpr int lanes = warp_lanes::size;
      int const rows_there = Whole ? rows : Kokkos::clamp((there - first + lanes - 1) / lanes, 0, static_cast<int>(rows));
      if (rows_there > 0) is_chosen ^= 0xffffffffu >> (32 - rows_there);
    }
    std::uint32_t const warp_sum = warp_lanes::reduce_sum(static_cast<std::uint32_t>(warp_lanes::popcount(is_chosen)));
    std::uint32_t* const warp_count = s.warp_count[round & 1u];
    if (lane == 0) warp_count[warp] = warp_sum;
    barrier_of_first(threads);  // all have taken out their part of the tile, too
    std::uint32_t const sums = scan_lanes<warp_lanes>(plus<std::uint32_t>{}, lane < workers ? warp_count[lane] : 0u, lane);
    int const all = static_cast<int>(warp_lanes::shuffle(sums, workers - 1));
    if (warp == 0 && lane == 0) {
      prefixes.publish(number, epoch, static_cast<std::uint64_t>(all));
      s.chosen[stage] = all;
    }
    int chosen_before = warp > 0 ? static_cast<int>(warp_lanes::shuffle(sums, warp - 1)) : 0;
    UPSWEEP_UNROLL
    for (int r = 0; r < rows; ++r) {
      bool const chosen = (is_chosen >> r & 1u) != 0;
      std::uint32_t const row = warp_lanes::ballot(chosen);
      int const place = chosen_before + warp_lanes::popcount_below(row, lane);
      int const at = first + r * warp_lanes::size;
      if constexpr (Problem::out_type::wants_rest) {
        if (Whole || at < there) slots[chosen ? place : all + at - place] = mine[r];
      } else {
        if (chosen) slots[place] = mine[r];
      }
      chosen_before += warp_lanes::popcount(row);
    }
  }

  /// Backwards, what is called chosen here is the rest. Pre: all have put back their part, and the prefix is there.
  template <bool Backwards>
  KOKKOS_FUNCTION void store(shared const& s, int stage, int thread) const {
    auto const* const slots = reinterpret_cast<element const*>(s.stage[stage]);
    int const chosen = s.chosen[stage];
    std::uint64_t const before = s.before[stage];
    auto const& out = problem.out;
    auto const to_chosen = [&](std::uint64_t place, element const& x) { out.chosen(place, x); };
    if constexpr (Problem::out_type::wants_rest) {
      auto const to_rest = [&](std::uint64_t place, element const& x) { out.rest(place, x); };
      std::size_t const tile_begin = begin(s.number[stage], Backwards);
      int const there = length(tile_begin), others = there - chosen;
      if constexpr (Backwards) {
        store_part<true>(slots, chosen, before, thread, to_rest);
        store_part<true>(slots + chosen, others, problem.n - tile_begin - static_cast<std::size_t>(there) - before, thread, to_chosen);
      } else {
        store_part<false>(slots, clipped(chosen, before), before, thread, to_chosen);
        store_part<false>(slots + chosen, others, tile_begin - before, thread, to_rest);
      }
    } else {
      store_part<false>(slots, clipped(chosen, before), before, thread, to_chosen);
    }
  }

  /// As many as there is room for.
  KOKKOS_FUNCTION int clipped(int chosen, std::uint64_t before) const {
    std::uint64_t const room = before < problem.out.room ? problem.out.room - before : 0;
    return static_cast<int>(Kokkos::min(static_cast<std::uint64_t>(chosen), room));
  }

  /// Elements side by side, to places side by side, ascending or descending: a warp's are those between two multiples of 32.
  template <bool Descending, class Put>
  KOKKOS_FUNCTION static void store_part(element const* slots, int count, std::uint64_t before, int thread, Put const& put) {
    constexpr int together = 4;  // loads on their way
    std::uint64_t const end = before + static_cast<std::uint64_t>(count);
    auto const place = [=](int at) {
      return Descending ? end - 1 - static_cast<std::uint64_t>(at) : before + static_cast<std::uint64_t>(at);
    };
    int at = thread - static_cast<int>((Descending ? 0 - end : before) % warp_lanes::size);
    if (at < 0) at += threads;
    for (; at + (together - 1) * threads < count; at += together * threads) {
      element x[together];
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) x[k] = slots[at + k * threads];
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) put(place(at + k * threads), x[k]);
    }
    for (; at < count; at += threads) put(place(at), slots[at]);
  }
};

}  // namespace upsweep::detail
