// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace upsweep::internal {

/// Whether tiles take about equally long.
enum class tile_cost { even, uneven };

/// How tiles are shared out by ticket: in rounds, of which each hands out half of what is left, a ticket a thread. So
/// threads read long stretches far from each other, and those that come late or lose their core take less. Two threads
/// of an AMD EPYC 9004, 2026-11-23, 2^22 / 2^24 doubles, us: in stretches of 32 KB 855 / 5890, 128 KB 685 / 4490, 1 MB
/// 562 / 3920, 8 MB 457 / 3880, in halves 433 / 3840.
///
/// Most of the cost of uneven tiles may lie in a quarter of them, so a round has 16 tickets a thread, and the last ones
/// are of one tile or two. The longest thread over the mean, simulated for the 79 blocks of 20,000 particles in a
/// Plummer sphere, 8 / 16 threads: tickets of even tiles 1.81 / 2.01, these down to single tiles 1.24 / 1.78, 8 a
/// thread 1.10 / 1.09, 16 a thread 1.01 / 1.09, single tiles from the start 1.01 / 1.09.
struct guided_tickets {
  std::size_t tiles, threads, in_round, last_round;

  guided_tickets(std::size_t count, std::size_t most_threads, tile_cost cost = tile_cost::even)
      : tiles(count),
        threads(std::min(count, most_threads)),
        in_round(cost == tile_cost::even ? threads : std::min(count, 16 * threads)),
        last_round(0) {
    // Tiles that a thread takes in the last round, at the least.
    std::size_t const fewest = cost == tile_cost::even ? 8 : 1;
    while ((tiles >> (last_round + 1)) >= fewest * in_round) ++last_round;
  }
  std::size_t count() const { return in_round * (last_round + 1); }
  /// The first tile of a ticket, or the end of the one before. Pre: ticket <= count().
  std::size_t first(std::size_t ticket) const {
    std::size_t const round = std::min(ticket / in_round, last_round), left = tiles >> round;
    std::size_t const given = round == last_round ? left : left - left / 2;
    return tiles - left + given * (ticket - round * in_round) / in_round;
  }
};

/// The tickets of one launch, as its threads take them.
class ticket_queue {
 public:
  explicit ticket_queue(guided_tickets const& tickets) : tickets_(tickets) {}

  /// Calls f(first, last, ticket), of tiles first ... last - 1, for each ticket that the calling thread gets.
  template <class F>
  void for_each(F const& f) {
    for (;;) {
      std::size_t const ticket = taken_.fetch_add(1, std::memory_order_relaxed);
      if (ticket >= tickets_.count()) return;
      f(tickets_.first(ticket), tickets_.first(ticket + 1), ticket);
    }
  }

 private:
  guided_tickets tickets_;
  std::atomic<std::size_t> taken_{0};
};

}  // namespace upsweep::internal
