// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/messages/peer_ring.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::mpi::detail {

/// A message to or from another rank, as the teams see it that move its chunks.
struct peer_message {
  std::byte* memory;     ///< the caller's
  std::byte* slots;      ///< of the ring
  peer_word* waits_for;  ///< for each slot a word in this rank's window
  peer_word* raises;     ///< for each slot a word in the other rank's window
  std::uint64_t bytes;   ///< of the message
  std::uint32_t piece;   ///< bytes of a chunk; the last one may be shorter
  std::uint32_t before;  ///< chunks of the messages before it in its list
  std::uint32_t number;  ///< of its first chunk, between these two ranks
  std::uint32_t peer;
};

/// Messages of one direction.
struct peer_list {
  std::uint32_t messages = 0;
  std::uint32_t chunks = 0;
  std::uint32_t teams = 0;  ///< no more than chunks
};

/// Counters of the teams of one exchange; zero between exchanges.
struct peer_counters {
  std::uint32_t begun, next_send, next_receive, ended;
  std::uint32_t failure;  ///< of the first team that has failed; stays
};

enum class peer_failure : std::uint32_t { none, late, left, stopped };

/// A failure and the rank that was waited for in one word, 0 for none.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t failure_word(peer_failure what, std::uint32_t peer) {
  return static_cast<std::uint32_t>(what) << 24 | peer;
}

/// What the CPU and the teams of a rank say to each other, in memory of the CPU.
struct peer_notes {
  std::uint32_t done;     ///< the last exchange that has ended, by number
  std::uint32_t failure;  ///< see failure_word
  std::uint32_t stop;     ///< not 0: the CPU wants all waits to end
};

/// All that the teams of a rank do in one exchange. Messages are those that are sent, then those that are received,
/// each list ordered by the distance of the ranks.
struct peer_exchange {
  peer_list sends, receives;
  peer_message const* messages = nullptr;
  peer_word const* left = nullptr;  ///< this rank's
  peer_counters* counters = nullptr;
  peer_notes* notes = nullptr;
  peer_ring_shape shape;
  std::uint32_t number = 0;       ///< of the exchange
  std::uint64_t nanoseconds = 0;  ///< after which a wait has failed
};

/// How the teams of an exchange work, the same on GPUs and in tests on CPUs. A team moves one chunk at a time. It sends
/// or receives, as the order says in which teams begin: the first one sends, the second one receives, and so on. A team
/// gets each chunk by a ticket of its direction: one that has not begun has none.
///
/// Memory order: the threads of a team store a chunk and meet at a barrier; then one thread writes the slot's word,
/// with release at system scope. The thread that waits for it reads it with acquire at system scope, and the threads of
/// its team read the slot behind a barrier. The word for a slot that is free again goes back the same way.
///
/// Progress: needs one team that runs for each direction, and not all of them, whatever else waits on the GPU. Of all
/// chunks that have not been moved take the first one by number of exchange, distance of ranks, and place. All before
/// it have been moved, so it has a ticket on both ranks, its slot is free or will be, and it moves. An exchange of a
/// rank begins when the one before has ended. Exchanges of two communicators that two ranks start in different orders
/// may wait for each other until the deadline where one of them leaves no room on a GPU.
///
/// Team has, for all its threads: rank(); barrier(); agree(f), which is what f returns on thread 0; store(slot, memory,
/// bytes) and load(slot, memory, bytes), which copy a chunk. For thread 0: acquire(word), release(word, value);
/// next(counter), which adds 1 and returns what was before; end(counter), the same, which orders what teams did before
/// it and do after it; failure(word), and fail(word, failure), which keeps the first failure and returns it;
/// read(word of the CPU); report(notes, exchange, failure); nanoseconds(); pause(tries).
template <class Team>
struct peer_worker {
  Team const& team;
  peer_exchange const& work;
  peer_message const* messages;  ///< those of `work`, perhaps nearer

  KOKKOS_FUNCTION void run() const {
    std::uint32_t const begun = team.agree([&] { return team.next(&work.counters->begun); });
    std::uint32_t const pairs = 2 * (work.sends.teams < work.receives.teams ? work.sends.teams : work.receives.teams);
    bool const sends = begun < pairs ? begun % 2 == 0 : work.sends.teams > work.receives.teams;
    if (sends) move_all<true>(work.sends, messages, &work.counters->next_send);
    else move_all<false>(work.receives, messages + work.sends.messages, &work.counters->next_receive);
    end();
  }

 private:
  template <bool Sends>
  KOKKOS_FUNCTION void move_all(peer_list const& list, peer_message const* m, std::uint32_t* next) const {
    for (peer_message const* const last = m + list.messages - 1;;) {
      std::uint32_t const chunk = team.agree([&] { return team.next(next); });
      if (chunk >= list.chunks) return;
      while (m != last && (m + 1)->before <= chunk) ++m;
      if (!move<Sends>(*m, chunk - m->before)) return;
    }
  }

  template <bool Sends>
  KOKKOS_FUNCTION bool move(peer_message const& m, std::uint32_t chunk) const {
    std::uint32_t const number = m.number + chunk;
    std::uint32_t const slot = number & (work.shape.slots - 1);
    std::uint32_t const wanted = Sends ? number + 1 - work.shape.slots : number + 1;
    auto const failure = team.agree([&] { return wait(m.waits_for + slot, wanted, m.peer); });
    if (failure != 0) return false;
    std::uint64_t const at = std::uint64_t{chunk} * m.piece;
    auto const bytes = static_cast<std::uint32_t>(m.bytes - at < m.piece ? m.bytes - at : m.piece);
    std::byte* const in_ring = m.slots + std::size_t{slot} * work.shape.slot_bytes;
    if constexpr (Sends) team.store(in_ring, m.memory + at, bytes);
    else team.load(in_ring, m.memory + at, bytes);
    team.barrier();
    if (team.rank() == 0) team.release(m.raises + slot, number + 1);
    return true;
  }

  /// By thread 0. Returns 0, or how it failed.
  KOKKOS_FUNCTION std::uint32_t wait(peer_word const* word, std::uint32_t wanted, std::uint32_t peer) const {
    // What a wait that goes well needs not see is looked at now and then: memory of the CPU is far away.
    constexpr std::uint32_t looks_every = 256;
    std::uint64_t begin = 0;
    for (std::uint32_t tries = 0; !has_reached(team.acquire(word), wanted); ++tries) {
      if (tries % looks_every == looks_every - 1) {
        std::uint64_t const now = team.nanoseconds();
        if (begin == 0) begin = now;
        auto const before = team.failure(&work.counters->failure);
        if (before != 0) return before;
        peer_failure what = peer_failure::none;
        if (team.read(&work.notes->stop) != 0) what = peer_failure::stopped;
        else if (team.acquire(work.left + peer) != 0) what = peer_failure::left;
        else if (now - begin > work.nanoseconds) what = peer_failure::late;
        if (what != peer_failure::none) return team.fail(&work.counters->failure, failure_word(what, peer));
      }
      team.pause(tries);
    }
    return 0;
  }

  /// The last team to end leaves the counters as they were, and says so.
  KOKKOS_FUNCTION void end() const {
    if (team.rank() != 0) return;
    auto& c = *work.counters;
    if (team.end(&c.ended) + 1 < work.sends.teams + work.receives.teams) return;
    c.begun = c.next_send = c.next_receive = c.ended = 0;
    team.report(work.notes, work.number, c.failure);
  }
};

}  // namespace upsweep::mpi::detail
