// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace upsweep::internal {

/// Whether tiles take about equally long.
enum class tile_cost { even, uneven };

/// How tiles are shared out by ticket: each thread has a stretch of its own, of which tickets hand out half of what is
/// left, and then the same of the others' stretches. So threads read long stretches far from each other, and those that
/// come late or lose their core take less. Two threads of an AMD EPYC 9004, 2026-11-23, 2^22 / 2^24 doubles, us: in
/// stretches of 32 KB 855 / 5890, 128 KB 685 / 4490, 1 MB 562 / 3920, 8 MB 457 / 3880, in halves 433 / 3840.
///
/// Most of the cost of uneven tiles may lie in a quarter of them, so a thread has 16 stretches then, and the last
/// tickets are of one tile or two. The longest thread over the mean, simulated for the 79 blocks of 20,000 particles in
/// a Plummer sphere, 8 / 16 threads: tickets of even tiles 1.81 / 2.01, these down to single tiles 1.24 / 1.78, 8 a
/// thread 1.10 / 1.09, 16 a thread 1.01 / 1.09, single tiles from the start 1.01 / 1.09.
struct guided_tickets {
  std::size_t tiles, threads, stretches, last_round;

  /// fewest: tiles of a ticket of even tiles, at the least.
  guided_tickets(std::size_t count, std::size_t most_threads, tile_cost cost = tile_cost::even, std::size_t fewest = 8)
      : tiles(count),
        threads(std::min(count, most_threads)),
        stretches(cost == tile_cost::even ? threads : std::min(count, 16 * threads)),
        last_round(0) {
    std::size_t const least = cost == tile_cost::even ? fewest : 1;
    while ((tiles >> (last_round + 1)) >= least * stretches) ++last_round;
  }
  std::size_t count() const { return stretches * (last_round + 1); }

  struct range {
    std::size_t first, last;  ///< tiles first ... last - 1
  };
  /// The tiles of a ticket: one round gives a ticket of each stretch. Pre: ticket < count().
  range operator()(std::size_t ticket) const {
    std::size_t const stretch = ticket % stretches, round = ticket / stretches;
    std::size_t const end = tiles * (stretch + 1) / stretches, left = (end - tiles * stretch / stretches) >> round;
    std::size_t const first = end - left;
    return {first, round == last_round ? end : end - left / 2};
  }
};

/// The tickets of one launch, as its threads take them: each thread first those of its own stretches, then what others
/// have left. So launches of one size give a thread the same elements each time, which its core's cache may still hold.
/// The scan of load_balance, behind two launches that write its 2^16 int32, takes 3.3 us so, and 4.3 where a thread's
/// tickets lie between those of others (two cores of an EPYC, 2026-11-27).
class ticket_queue {
 public:
  explicit ticket_queue(guided_tickets const& tickets)
      : tickets_(tickets), lanes_(std::min(tickets.threads, most_lanes)) {
    for (std::size_t k = 0; k < lanes_; ++k) next_[k].ticket.store(k, std::memory_order_relaxed);
  }

  /// Calls f(first, last, ticket), of tiles first ... last - 1, for each ticket that this thread of the launch gets.
  template <class F>
  void for_each(std::size_t thread, F const& f) {
    std::size_t const all = tickets_.count();
    for (std::size_t k = 0; k < lanes_; ++k) {
      // The last thread does not look for what is left in so many places.
      if (k > 0 && empty_.load(std::memory_order_relaxed) == lanes_) return;
      std::atomic<std::size_t>& next = next_[(thread + k) % lanes_].ticket;
      for (;;) {
        std::size_t const ticket = next.fetch_add(lanes_, std::memory_order_relaxed);
        if (ticket >= all) {
          bool const is_first = ticket < all + lanes_;
          if (is_first) empty_.fetch_add(1, std::memory_order_relaxed);
          break;
        }
        auto const [first, last] = tickets_(ticket);
        f(first, last, ticket);
      }
    }
  }

 private:
  static constexpr std::size_t most_lanes = 64;
  struct alignas(64) lane {
    std::atomic<std::size_t> ticket;
  };

  guided_tickets tickets_;
  std::size_t lanes_;                  ///< lane k has tickets k, k + lanes_, ...; more threads share them
  std::atomic<std::size_t> empty_{0};  ///< lanes that have no ticket left
  lane next_[most_lanes];
};

}  // namespace upsweep::internal
