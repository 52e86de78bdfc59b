// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/index.hpp>
#include <upsweep/scan/detail/host_tiles.hpp>
#include <upsweep/scan/detail/prefix_relay.hpp>

#include <algorithm>
#include <cstddef>

namespace upsweep::detail {

// Scan of cache-sized tiles, for threads of the host: one launch, and memory is read once and written once.
//
//   A thread takes a group of consecutive tiles, folds each tile (which brings it into the cache), receives the prefix of
//   the group from the thread with the group before it, hands the prefix behind its own aggregates on, and scans the tiles
//   out of the cache, each behind its own prefix.
//
// Work to threads: where a group for every thread covers the input, thread g of the launch has group g, so that the
// same thread meets the same elements in every call. Else groups are small and taken by ticket, and while a group is scanned
// the next one is prefetched. One thread, or fewer tiles than are worth a fork, run on the calling thread.
// Shared state: the relay (prefix_relay.hpp). No workspace memory. Global traffic: N reads, N writes where a group fits in the cache.
// Progress: the launch's threads take groups in ascending order; kernels of the spaces named below run the indices of one
// thread in ascending order, however many threads the run time really has.
// Association: the strict left fold of tile aggregates, in tiles of fixed size; groups and threads only schedule. A
// tile is scanned behind its prefix. Few tiles are scanned as one. So the bits depend on n and the types alone.

template <class Problem, class Tiles, class Tuning>
struct cache_tiles_kernel {
  using state = typename Problem::state;

  Problem const* problem;
  Tiles tiles;
  std::size_t count;       ///< tiles
  std::size_t group_size;  ///< tiles a group
  bool ticketed;
  prefix_relay<state>* relay;

  void operator()(int thread) const {
    std::size_t const groups = divide_up(count, group_size);
    state of_tile[Tuning::largest_group];  // aggregates, then prefixes
    for (std::size_t group = ticketed ? relay->take() : static_cast<std::size_t>(thread); group < groups;) {
      std::size_t const first = group * group_size, last = std::min(first + group_size, count);
      bool const is_last = group + 1 == groups;
      // Nobody asks for the aggregate of the last tile but the total.
      std::size_t const folded = is_last && problem->total.device == nullptr ? last - 1 : last;
      tiles.fold(first, folded, of_tile);
      state running = group == 0 ? problem->init.load() : relay->receive(group);
      for (std::size_t k = 0; k < folded - first; ++k) {
        state const next = problem->monoid(running, of_tile[k]);
        of_tile[k] = running;
        running = next;
      }
      if (!is_last) relay->send(group + 1, running);
      else if (folded == last) problem->total.store(problem->monoid, running);
      else of_tile[folded - first] = running;
      group = ticketed ? relay->take() : groups;
      // The next group is prefetched where it is whole: the last tile may be a part of one.
      tiles.scan(first, last, of_tile, group + 1 < groups ? group * group_size : 0);
    }
    tiles.finish();
  }
};

struct cache_tiles_engine {
  static constexpr engine_memory memory = engine_memory::none;

  /// Spaces whose launches return when the kernel has run: the relay lives on the caller's stack.
  template <class ExecutionSpace>
  static constexpr bool runs_on = !compat::is_gpu<ExecutionSpace> && compat::launches_wait<ExecutionSpace>;

  /// Pre: n > 0.
  template <class ExecutionSpace, class Problem, class Tuning = tuning<ExecutionSpace>>
  static void scan(ExecutionSpace const& space, Problem const& problem, scan_names const& names) {
    if constexpr (has_host_kernels<Problem>())
      scan_tiles<Tuning>(space, problem, compiled_tiles<Problem, Tuning>(problem, widest_instruction_set()), names);
    else scan_tiles<Tuning>(space, problem, generic_tiles<Problem, Tuning>(problem), names);
  }

  template <class Tuning, class ExecutionSpace, class Problem, class Tiles>
  static void scan_tiles(ExecutionSpace const& space, Problem const& problem, Tiles const& tiles, scan_names const& names) {
    std::size_t const count = divide_up(problem.n, Tiles::size);
    auto const name = label(names.function, "scan", names.caller);
    if (count < Tiles::parallel_tiles) {
      compat::run_on_this_thread(space, name, [&] {
        auto const all = tiles.scan_all(problem.init.load());
        problem.total.store(problem.monoid, all);
      });
      return;
    }
    std::size_t const threads =
        std::min<std::size_t>(static_cast<std::size_t>(space.concurrency()), count / Tiles::tiles_per_thread);
    bool const ticketed = count > threads * Tuning::largest_group;
    std::size_t const group_size = ticketed ? Tuning::group_tiles : divide_up(count, threads);
    prefix_relay<typename Problem::state> relay;
    cache_tiles_kernel<Problem, Tiles, Tuning> const kernel{&problem, tiles, count, group_size, ticketed, &relay};
    if (threads == 1) compat::run_on_this_thread(space, name, [&] { kernel(0); });
    else
      Kokkos::parallel_for(name, Kokkos::RangePolicy<ExecutionSpace>(space, 0, static_cast<int>(threads)).set_chunk_size(1),
                           kernel);
  }
};

}  // namespace upsweep::detail
