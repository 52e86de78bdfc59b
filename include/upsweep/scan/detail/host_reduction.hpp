// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/host_tile_choice.hpp>
#include <upsweep/scan/detail/host_tuning.hpp>
#include <upsweep/scan/detail/scan_problem.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace upsweep::detail {

/// Folds tiles by threads of the host.
///
/// Work to threads: short inputs are folded by the calling thread. Else threads take groups of tiles by ticket and store a state a tile;
/// the calling thread folds these at the end.
/// Shared state: the ticket; the states, which are read behind the launch.
/// Progress: a thread that loses its core holds up the end of the launch, and no other thread.
/// Association: the strict left fold of tile aggregates, whatever threads there are.
template <class Problem, class Tiles>
struct host_reduction {
  using state = typename Problem::state;

  Tiles tiles;
  std::size_t count;       ///< tiles
  std::size_t per_ticket;  ///< tiles a ticket
  std::atomic<std::size_t>* ticket;
  state* of_tile;

  void operator()(int) const {
    for (;;) {
      std::size_t const first = ticket->fetch_add(1, std::memory_order_relaxed) * per_ticket;
      if (first >= count) return;
      std::size_t const last = std::min(first + per_ticket, count);
      tiles.fold(first, last, of_tile + first);
    }
  }
};

/// Tiles of a reduction by several threads; 0 where the calling thread does it alone.
template <class ExecutionSpace, class Problem, class Tuning>
std::size_t parallel_reduction_tiles(ExecutionSpace const& space, std::size_t n) {
  using tiles = host_tiles_of<Problem, Tuning>;
  std::size_t const count = divide_up(n, tiles::size);
  // Built-in numbers are folded faster than a fork takes; of other elements it is not known how long they take.
  bool const is_short =
      has_host_kernels<Problem>() ? n * sizeof(typename Problem::state) < Tuning::parallel_reduction_bytes : count < tiles::parallel_tiles;
  return is_short || space.concurrency() == 1 ? 0 : count;
}

/// The combination of all elements. Pre: problem.n > 0; of_tile has parallel_reduction_tiles() entries.
template <class Tuning, class ExecutionSpace, class Problem>
typename Problem::state reduce_on_host(ExecutionSpace const& space, Problem const& problem, typename Problem::state* of_tile,
                                       scan_names const& names) {
  using tiles_type = host_tiles_of<Problem, Tuning>;
  using state = typename Problem::state;
  constexpr std::size_t group = tiles_type::group_tiles;
  tiles_type const tiles = make_host_tiles<Tuning>(problem);
  std::size_t const count = divide_up(problem.n, tiles_type::size);
  auto const name = [&] { return label(names.function, "reduce", names.caller); };
  auto const fold_states = [&](state total, state const* states, std::size_t number) {
    for (std::size_t k = 0; k < number; ++k) total = problem.monoid(total, states[k]);
    return total;
  };
  if (parallel_reduction_tiles<ExecutionSpace, Problem, Tuning>(space, problem.n) == 0) {
    state total = problem.monoid.identity();
    compat::run_on_this_thread(space, name, [&] {
      state states[group];
      for (std::size_t first = 0; first < count; first += group) {
        std::size_t const last = std::min(first + group, count);
        tiles.fold(first, last, states);
        total = first == 0 ? fold_states(states[0], states + 1, last - 1) : fold_states(total, states, last - first);
      }
    });
    return total;
  }
  std::size_t const threads = static_cast<std::size_t>(space.concurrency());
  std::size_t const per_ticket = std::clamp<std::size_t>(count / (2 * threads), 1, group);
  std::atomic<std::size_t> ticket{0};
  host_reduction<Problem, tiles_type> const kernel{tiles, count, per_ticket, &ticket, of_tile};
  int const started = static_cast<int>(std::min(threads, divide_up(count, per_ticket)));
  Kokkos::parallel_for(name(), Kokkos::RangePolicy<ExecutionSpace>(space, 0, started).set_chunk_size(1), kernel);
  return fold_states(of_tile[0], of_tile + 1, count - 1);
}

}  // namespace upsweep::detail
