// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/status_word.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

// The protocol of the single-pass scans, for any team that has a rank, a size and a barrier: ticket, publish, walk
// back, fall back. It knows nothing of how a tile is loaded or scanned.
//
// Shared state, in a region of the workspace that nothing else writes:
//   control   ticket, tiles finished, epoch, fallbacks taken
//   words     one status a tile (status_word.hpp)
// A tile takes its number from the ticket, so that all its predecessors have started. The epoch is read with it: it
// changes only when the last tile has finished. That tile resets the ticket and advances the epoch, and clears the
// words when the stamp's bits run out, so that no other kernel has to, and a captured graph can be replayed.
//
// Progress: a predecessor that has started need not be running (its team may be waiting for a core). After a bounded
// number of polls the waiting team computes the predecessor's aggregate itself, from its input and with its owner's own
// reduction: the same bits. In place, the owner may overwrite that input. Every owner, that of tile 0 too, publishes
// its aggregate and fences before its first store; a helper fences between its last read and the compare-exchange. So a
// helper that has read overwritten input finds the owner's aggregate in the words that it wants to write, and the
// exchange fails. A published prefix would not do: a state of more than 4 bytes has other words for it
// (status_word.hpp).

/// Counters of one workspace; zeroed memory is the initial state.
struct look_back_control {
  std::uint64_t ticket;
  std::uint64_t finished;
  std::uint64_t epoch;
  std::uint64_t fallbacks;  ///< tiles whose aggregate a successor computed, over all calls; tests read it
};

/// 64-bit words in front of the first status: the control block has a line of its own.
inline constexpr std::size_t control_words = 16;

/// Epochs that a stamp can hold: 30 bits of it.
inline constexpr std::uint32_t largest_epoch = (1u << 30) - 1;

/// What the threads of a team share while they look back. Lanes: how many predecessors are looked at together.
template <class State, int Lanes>
struct look_back_scratch {
  State value[Lanes];
  tile_state state[Lanes];
  State prefix;
  std::uint64_t tile;
  std::uint32_t epoch;
  int nearest_prefix;  ///< lane, or Lanes when the window holds none
  int stuck;           ///< lane of the nearest predecessor that is silent, or Lanes
  bool last;
};

template <class Monoid, int Lanes>
struct look_back_protocol {
  using state = typename Monoid::value_type;
  using scratch = look_back_scratch<state, Lanes>;

  look_back_control* control;
  status_words<state> words;
  std::size_t tiles;
  std::size_t region_words;   ///< all 64-bit words that statuses of any call may have been written to
  std::uint32_t epoch_limit;  ///< the last epoch before the words are cleared
  int polls;                  ///< before a silent predecessor is helped

  /// Takes the next tile. Ends with a barrier.
  template <class Member>
  KOKKOS_FUNCTION void take_tile(Member const& m, scratch& s) const {
    if (m.team_rank() == 0) {
      s.tile = Kokkos::atomic_fetch_add(&control->ticket, std::uint64_t(1));
      s.epoch = static_cast<std::uint32_t>(compat::load_word(&control->epoch));
    }
    m.team_barrier();
  }

  /// The combination of init and all tiles before this one, in every thread: the strict left fold of their aggregates,
  /// whatever was published when. aggregate: of this tile. reduce(tile) is called by the whole team and gives thread 0
  /// the aggregate of another tile. Ends with a barrier, behind which the team may store.
  template <class Member, class Reduce>
  KOKKOS_FUNCTION state prefix_of(Member const& m, scratch& s, Monoid const& op, state const& init, state const& aggregate,
                                  Reduce const& reduce) const {
    std::size_t const tile = s.tile;
    std::uint32_t const epoch = s.epoch;
    if (tile == 0) {
      if (m.team_rank() == 0) {
        s.prefix = init;
        words.publish(0, epoch, tile_state::aggregate, aggregate);
        words.publish(0, epoch, tile_state::prefix, op(init, aggregate));
        Kokkos::memory_fence();  // as below
      }
      m.team_barrier();
      return s.prefix;
    }
    if (m.team_rank() == 0) {
      words.publish(tile, epoch, tile_state::aggregate, aggregate);
      Kokkos::memory_fence();  // what this team stores in place comes after the word that says its input is not needed
    }
    // Windows of Lanes predecessors, nearest first, until one of them has a prefix.
    std::size_t end = tile;  // the window holds tiles end - 1, end - 2, ...
    for (;;) {
      look(m, s, op, init, end, epoch, polls);
      if (s.stuck < s.nearest_prefix) {
        help(m, end - 1 - static_cast<std::size_t>(s.stuck), epoch, reduce);
        continue;
      }
      if (s.nearest_prefix < Lanes) break;
      end -= Lanes;
    }
    // Back again: from that prefix over the aggregates that follow it, in order. A later prefix met on the way has the
    // same bits as the fold up to it.
    for (;;) {
      if (m.team_rank() == 0) fold_window(s, op);
      if (end == tile) break;
      end += Lanes;
      m.team_barrier();
      look(m, s, op, init, end, epoch, 1);
    }
    if (m.team_rank() == 0) {
      words.publish(tile, epoch, tile_state::prefix, op(s.prefix, aggregate));
      Kokkos::memory_fence();
    }
    m.team_barrier();
    return s.prefix;
  }

  /// To be called when the team has stored its tile. The last tile leaves the control block ready for the next call.
  template <class Member>
  KOKKOS_FUNCTION void finish(Member const& m, scratch& s) const {
    if (m.team_rank() == 0) {
      Kokkos::memory_fence();
      s.last = Kokkos::atomic_fetch_add(&control->finished, std::uint64_t(1)) + 1 == tiles;
    }
    m.team_barrier();
    if (!s.last) return;
    bool const clear = s.epoch >= epoch_limit;
    if (clear) {
      for (auto k = static_cast<std::size_t>(m.team_rank()); k < region_words; k += static_cast<std::size_t>(m.team_size()))
        compat::store_word(words.first + k, std::uint64_t(0));
    }
    if (m.team_rank() == 0) {
      compat::store_word(&control->ticket, std::uint64_t(0));
      compat::store_word(&control->finished, std::uint64_t(0));
      compat::store_word(&control->epoch, clear ? std::uint64_t(0) : std::uint64_t(s.epoch) + 1);
    }
  }

 private:
  // One thread a predecessor: waits for its status, at most `patience` polls. Thread 0 then finds the nearest prefix and
  // the nearest silent tile. Ends with a barrier.
  template <class Member>
  KOKKOS_FUNCTION void look(Member const& m, scratch& s, Monoid const& op, state const& init, std::size_t end,
                            std::uint32_t epoch, int patience) const {
    for (int lane = m.team_rank(); lane < Lanes; lane += m.team_size()) {
      tile_state seen = tile_state::invalid;
      if (static_cast<std::size_t>(lane) < end) {
        std::size_t const tile = end - 1 - static_cast<std::size_t>(lane);
        for (int poll = 0; poll < patience; ++poll) {
          seen = words.read(tile, epoch, s.value[lane]);
          if (seen != tile_state::invalid) break;
          compat::pause();
        }
        if (tile == 0 && seen == tile_state::aggregate) {  // what is before it is known: init
          s.value[lane] = op(init, s.value[lane]);
          seen = tile_state::prefix;
        }
      }
      s.state[lane] = seen;
    }
    m.team_barrier();
    if (m.team_rank() == 0) {
      s.nearest_prefix = s.stuck = Lanes;
      for (int lane = Lanes - 1; lane >= 0; --lane) {
        if (s.state[lane] == tile_state::prefix) s.nearest_prefix = lane;
        if (s.state[lane] == tile_state::invalid && static_cast<std::size_t>(lane) < end) s.stuck = lane;
      }
    }
    m.team_barrier();
  }

  template <class Member, class Reduce>
  KOKKOS_FUNCTION void help(Member const& m, std::size_t silent, std::uint32_t epoch, Reduce const& reduce) const {
    state const aggregate = reduce(silent);
    Kokkos::memory_fence();  // every thread: its reads come before the exchange
    m.team_barrier();
    if (m.team_rank() == 0) {
      words.publish_if_invalid(silent, epoch, aggregate);
      Kokkos::atomic_inc(&control->fallbacks);
    }
    m.team_barrier();
  }

  // Thread 0: the window's aggregates behind its nearest prefix, or behind what earlier windows gave.
  KOKKOS_FUNCTION void fold_window(scratch& s, Monoid const& op) const {
    int lane = Lanes - 1;
    if (s.nearest_prefix < Lanes) {
      lane = s.nearest_prefix - 1;
      s.prefix = s.value[s.nearest_prefix];
    }
    for (; lane >= 0; --lane) s.prefix = op(s.prefix, s.value[lane]);
  }
};

}  // namespace upsweep::detail
