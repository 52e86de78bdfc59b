// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/guided_tickets.hpp>
#include <upsweep/base/internal/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/cpu_tile_choice.hpp>
#include <upsweep/scan/detail/cpu_tuning.hpp>
#include <upsweep/scan/detail/scan_problem.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace upsweep::scan::detail {

/// Folds tiles by CPU threads.
///
/// Work to threads: short inputs are folded by the calling thread.
/// Else threads take ranges of tiles by ticket and store one state per tile;
/// the calling thread folds these at the end.
/// Shared state: the number of the next ticket; the states, which are read behind the launch.
/// Progress: a thread that loses its core delays the end of the launch, and no other thread.
/// Association: the strict left fold of tile aggregates, whatever threads there are. Where any order gives the same
/// bits, tiles that a thread takes together are folded as one: the end of a tile costs 10 ns, 3 % of one in the caches.
template <class Problem, class Tiles>
struct cpu_reduction {
  Tiles tiles;
  internal::guided_tickets tickets;
  std::atomic<std::size_t>* taken;
  typename Problem::state* of_tile;  ///< or of each ticket, for any order

  void operator()(int) const {
    for (;;) {
      std::size_t const ticket = taken->fetch_add(1, std::memory_order_relaxed);
      if (ticket >= tickets.count()) return;
      std::size_t const first = tickets.first(ticket), last = tickets.first(ticket + 1);
      if constexpr (Tiles::any_order) of_tile[ticket] = tiles.fold_together(first, last);
      else tiles.fold(first, last, of_tile + first);
    }
  }
};

/// Tiles of a reduction by several threads; 0 where the calling thread does it alone.
template <class ExecutionSpace, class Problem, class Tuning>
std::size_t parallel_reduction_tiles(ExecutionSpace const& space, std::size_t n) {
  using tiles = cpu_tiles_of<Problem, Tuning>;
  std::size_t const count = internal::divide_up(n, tiles::size);
  // Built-in numbers are folded faster than a fork takes; of other elements it is not known how long they take.
  bool const is_short = has_cpu_kernels<Problem>()
                            ? n * sizeof(typename Problem::state) < Tuning::parallel_reduction_bytes
                            : count < tiles::parallel_tiles;
  return is_short || space.concurrency() == 1 ? 0 : count;
}

/// The combination of all elements. Pre: problem.n > 0; of_tile has parallel_reduction_tiles() entries.
template <class Tuning, class ExecutionSpace, class Problem>
typename Problem::state reduce_on_cpu(ExecutionSpace const& space, Problem const& problem,
                                      typename Problem::state* of_tile, scan_names const& names) {
  using tiles_type = cpu_tiles_of<Problem, Tuning>;
  using state = typename Problem::state;
  constexpr std::size_t group = tiles_type::group_tiles;
  tiles_type const tiles = make_cpu_tiles<Tuning>(problem);
  std::size_t const count = internal::divide_up(problem.n, tiles_type::size);
  auto const name = [&] { return internal::label(names.function, "reduce", names.caller); };
  auto const fold_states = [&](state total, state const* states, std::size_t number) {
    for (std::size_t k = 0; k < number; ++k) total = problem.monoid(total, states[k]);
    return total;
  };
  if (parallel_reduction_tiles<ExecutionSpace, Problem, Tuning>(space, problem.n) == 0) {
    state total = problem.monoid.identity();
    compat::run_on_this_thread(space, name, [&] {
      if constexpr (tiles_type::any_order) {
        total = tiles.fold_together(0, count);
      } else {
        state states[group];
        for (std::size_t first = 0; first < count; first += group) {
          std::size_t const last = std::min(first + group, count);
          tiles.fold(first, last, states);
          total = first == 0 ? fold_states(states[0], states + 1, last - 1) : fold_states(total, states, last - first);
        }
      }
    });
    return total;
  }
  internal::guided_tickets const tickets(count, static_cast<std::size_t>(space.concurrency()));
  std::atomic<std::size_t> taken{0};
  cpu_reduction<Problem, tiles_type> const kernel{tiles, tickets, &taken, of_tile};
  int const started = static_cast<int>(tickets.threads);
  Kokkos::parallel_for(name(), Kokkos::RangePolicy<ExecutionSpace>(space, 0, started).set_chunk_size(1), kernel);
  return fold_states(of_tile[0], of_tile + 1, (tiles_type::any_order ? tickets.count() : count) - 1);
}

}  // namespace upsweep::scan::detail
