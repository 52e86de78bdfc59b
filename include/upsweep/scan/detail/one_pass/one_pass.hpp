// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/one_pass/pipeline_launch.hpp>
#include <upsweep/scan/tuning.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep::scan::detail {

/// The walk of a kernel below. Long states have fewer groups read tile by tile: their words are in registers together.
template <class Monoid, class Lanes, int Window>
using one_pass_prefixes =
    decoupled_look_back<Monoid, Lanes,
                        std::min(Window, status_words<typename Monoid::value_type>::pieces <= 4 ? Window : 2)>;

// A kernel that passes once over its data, for any GPU with warps: no copies by the hardware. Scans (scan_work.hpp) and
// selections (striped_selection.hpp) are made of it; a Work says what is done with a tile.
//
// Work to threads: the last warp of a team, the look-back warp, takes a tile by ticket.
// The others, the workers, load their parts of it into registers and leave their sums in scratch. The look-back warp
// publishes the aggregate and finds the prefix (decoupled_look_back.hpp), and the workers store. The look-back warp has
// no part of the tile:
// a warp that did both would need the registers of both.
// Other teams of the multiprocessor load and store meanwhile: several must fit.
// Scratch: one state per warp, two words, and Work::scratch.
// Shared state, memory order and progress: decoupled_look_back.hpp.
// A team stores behind a barrier that the look-back warp reaches after it has published; decoupled_look_back::publish()
// has a fence for teams that store where others may read.
// Barriers: the look-back warp waits for the workers' sums, and they for the prefix, each at their own place of the
// program (compat::warp_role_barriers). With one place for all, look-back warp and workers would need their registers
// side by side: 2^28 int32 spilled 1344 bytes per thread instead of 276 (nvcc 13).
// Branches in front of barriers are taken by whole warps.
//
// A Work has:
//   shape, lanes, monoid_type  how tiles are cut (striped_shape), whose lanes a warp has, and what combines tiles
//   scratch                    what workers share; an empty class for nothing
//   monoid(), init()           what comes before the first tile: called by the look-back warp
//   backwards()                asked before the ticket is known: if the answer is in memory, both loads overlap; passed
//                              on to the others
//   part(work, number, warp, backwards), by a worker's thread, with
//     is_whole(work)                             whether the warp's part needs no look at the input's end; the
//                                                same in every lane
//     load<Whole>(work, scratch, lane)           loads the part; the sum of the warp's, in every lane
//     arrange<Whole>(work, scratch, sums, lane)  `sums` are those of team/internal/warp_sums.hpp: lane k has the sum
//                                                of the warps up to k; the prefix is not there yet
//     emit<Whole>(work, scratch, prefix, lane)   behind the prefix of the tile, and behind what all
//                                                workers have arranged
//   wants_prefix(aggregate)    may be left out; whether a tile with this aggregate has something to emit:
//                              others do not wait
//   wants_total                may be left out; if true, the look-back warp puts the aggregate of all tiles into
//                              scratch.total before the workers emit: to be run without tickets
//   fallback(lane)             what reduces a stalled tile for wait_for_prefix(), or no_fallback. With no_fallback, in
//                              place, load() ends with a fence, and teams may store over the input of tiles before
//                              whose aggregates they know
//   finish(through)            by one thread of the last tile's team: init and all tiles
//
// Without tickets team b has tile b, and all tiles are in view of one look-back (decoupled_look_back.hpp,
// tiles_in_view): the ticket would be one more round trip to memory. Then a tile before may not even have started, and
// another team reduces it: fallback() may not be no_fallback.
//
// Persistent teams were slower. H200, 2026-11-22, 2^28 int32 / int64 / double, fraction of a copy: this kernel,
// before rounds went in groups (striped_tile.hpp), 0.86 / 0.82 / 0.77; persistent teams 0.70 / 0.66 / 0.65; the same
// with the next tile's loads in flight while the prefix is waited for 0.81 / 0.79 / 0.72. A guess at why: all teams
// are at the same place at the same time, so walks wait for folds of groups; a window of 4 instead of 1 took int64
// from 0.60 to 0.78.
template <class Work, bool Tickets = true>
struct one_pass_kernel {
  using lanes = typename Work::lanes;
  using shape = typename Work::shape;
  using monoid_type = typename Work::monoid_type;
  using state = typename monoid_type::value_type;
  using prefixes_type = one_pass_prefixes<monoid_type, lanes, shape::window>;
  static constexpr int warps = shape::warps;
  using warp_sums = internal::warp_sums<lanes, warps>;
  static constexpr int team_size = (warps + 1) * lanes::size;
  static_assert(team_size <= 1024, "upsweep: a team has at most 1024 threads.");
  struct scan {};

  Work work;
  prefixes_type prefixes;

  struct shared : Work::scratch {
    std::uint64_t number;
    state prefix;
    state warp_sum[warps];
  };

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(scan, Member const& m) const {
    auto& s = *static_cast<shared*>(
        m.team_scratch(0).get_shmem_aligned(sizeof(shared), Kokkos::max(alignof(shared), std::size_t(16))));
    int const warp = lanes::uniform(m.team_rank() / lanes::size), lane = m.team_rank() % lanes::size;
    auto number = static_cast<std::size_t>(m.league_rank());
    if (Tickets && warp == warps && lane == 0)
      s.number = Kokkos::atomic_fetch_add(&prefixes.control->ticket, std::uint64_t(1));
    bool const backwards = work.backwards();
    if constexpr (Tickets) {
      m.team_barrier();
      number = s.number;
    }
    if (warp == warps) return look_back_for_tile(m, s, number, lane);
    typename Work::part part(work, number, warp, backwards);
    bool const whole = lanes::uniform(part.is_whole(work));
    state const sum = whole ? part.template load<true>(work, s, lane) : part.template load<false>(work, s, lane);
    if (lane == 0) s.warp_sum[warp] = sum;
    barriers<Member>{m}.sync_workers();
    state const sums = sums_of_warps(s, lane);
    if constexpr (may_leave) {
      if (lanes::uniform(work.wants_prefix(warp_sums::total(sums))) == 0) return;
    }
    if (whole) part.template arrange<true>(work, s, sums, lane);
    else part.template arrange<false>(work, s, sums, lane);
    barriers<Member>{m}.wait_for_look_back();
    if (whole) part.template emit<true>(work, s, s.prefix, lane);
    else part.template emit<false>(work, s, s.prefix, lane);
  }

 private:
  template <class Member>
  using barriers = compat::warp_role_barriers<Member, warps * lanes::size, lanes::size>;
  static constexpr bool may_leave = requires(Work const& w, state const& aggregate) { w.wants_prefix(aggregate); };
  static constexpr bool wants_total = requires { requires Work::wants_total; };
  static_assert(!wants_total || !Tickets,
                "upsweep: a team that waits for all tiles falls back for those before, and takes no tickets.");

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void look_back_for_tile(Member const& m, shared& s, std::size_t number, int lane) const {
    auto const& op = work.monoid();
    state const init = work.init();
    // While the others load: a lone tile needs no region, and without tickets the region may be left ready for
    // the next call now.
    bool const is_alone = !Tickets && prefixes.tiles == 1;
    std::uint32_t const epoch = is_alone ? 0 : static_cast<std::uint32_t>(compat::load_word(&prefixes.control->epoch));
    lanes::sync();  // every lane has the epoch before the first one counts its team as finished
    bool const finished = is_alone || (!Tickets && prefixes.finish_ahead(prefixes.tiles, epoch, lane));
    barriers<Member>{m}.wait_for_workers();
    state const aggregate = warp_sums::total(sums_of_warps(s, lane));
    bool emits = true;
    if constexpr (may_leave) emits = lanes::uniform(work.wants_prefix(aggregate)) != 0;
    typename prefixes_type::prefix found{init, init};
    if (is_alone) {
      found.inclusive = op(init, aggregate);
    } else {
      if (lane == 0) {
        fence_in_place();
        prefixes.publish(number, epoch, aggregate);
      }
      if (emits || prefixes.ends_group(number)) {
        // What is asked for at once is not there yet, and words that many ask for come later.
        for (int k = 0; k < shape::pauses; ++k) compat::pause();
        found = prefixes.wait_for_prefix(number, epoch, op, init, lane, work.fallback(lane));
        if (lane == 0) fence_in_place();
      }
    }
    if constexpr (wants_total) {
      if (number + 1 < prefixes.tiles)
        found.inclusive = prefixes.total(number, epoch, op, init, lane, work.fallback(lane));
      if (lane == 0) s.total = found.inclusive;
    }
    if (lane == 0) {
      if (emits) s.prefix = found.exclusive;
      if (number + 1 == prefixes.tiles) work.finish(found.inclusive);
    }
    if (emits) barriers<Member>{m}.release_workers();
    if (!finished) prefixes.finish(prefixes.tiles, epoch, lane);
  }

  /// Between the loads of a tile and the word that lets others store there, and between that word and the stores. Where
  /// others fall back, decoupled_look_back.hpp says what takes the place of this.
  KOKKOS_FORCEINLINE_FUNCTION void fence_in_place() const {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(work.fallback(0))>, no_fallback>)
      if (prefixes.in_place) Kokkos::memory_fence();
  }

  KOKKOS_FORCEINLINE_FUNCTION state sums_of_warps(shared const& s, int lane) const {
    auto const& op = work.monoid();
    return warp_sums::scan(op, lane < warps ? s.warp_sum[lane] : op.identity(), lane);
  }
};

/// Bytes of the protocol's region for so many tiles.
template <class Monoid, class Lanes>
std::size_t one_pass_bytes(std::size_t tiles) {
  return prefix_bytes<decoupled_look_back<Monoid, Lanes, 1>>(tiles);
}

/// The kernel of a Work, for one team per tile. in_place: workers may store where a stand-in reads.
template <class ExecutionSpace, bool Tickets, class Work>
one_pass_kernel<Work, Tickets> make_one_pass_kernel(Work const& work, std::size_t tiles, look_back_memory const& memory,
                                                    bool in_place) {
  using prefixes = typename one_pass_kernel<Work, Tickets>::prefixes_type;
  return {work, make_prefixes<prefixes, ExecutionSpace>(memory, tiles, in_place)};
}

/// Runs a Work on its tiles.
template <bool Tickets = true, class ExecutionSpace, class Work>
void run_one_pass(ExecutionSpace const& space, Work const& work, std::size_t tiles, look_back_memory const& memory,
                  bool in_place, std::string_view phase, scan_names const& names) {
  launch_pipeline<Work::shape::teams>(
      space, make_one_pass_kernel<ExecutionSpace, Tickets>(work, tiles, memory, in_place), tiles, phase, names);
}

}  // namespace upsweep::scan::detail
