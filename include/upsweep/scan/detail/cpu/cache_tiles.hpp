// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/cpu/cpu_fork.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/cpu/cpu_tile_choice.hpp>
#include <upsweep/scan/detail/hand_over/prefix_relay.hpp>

#include <algorithm>
#include <cstddef>
#include <thread>

namespace upsweep::scan::detail {

// Scan of cache-sized tiles, for CPU threads: one launch, and memory is read once and written once.
//
//   A thread takes a group of consecutive tiles, folds each tile (which brings it into the cache), waits for the
//   prefix of the group, sends the prefix behind its own aggregates, and scans the tiles out of the cache, each behind
//   its own prefix.
//
// Work to threads: where a group for every thread covers the input, thread g of the launch has group g, so that the
// same thread meets the same elements in every call. Else, and with more threads than cores, groups are small and
// taken by ticket, and while a group is scanned the next one is prefetched. The calling thread scans alone what it ends
// before a launch would. Inputs with more groups than the relay has room for are several launches, one behind the
// other.
// Shared state: the relay (prefix_relay.hpp, with its memory order). No workspace memory. Global traffic: N reads, N
// writes where a group fits in the cache.
// Progress: nobody waits for a thread that does not run, or that has not started. A thread whose prefix does not come
// folds the first missing group itself, by the same expression, and goes on. The last thread that reads a group scans
// it. So a thread that loses its core costs the others the fold of one group, and only the end of the launch waits for
// it. (Others must wait only between the claim of a prefix and its publication, a few instructions.) Association: the
// strict left fold of tile aggregates, in tiles of fixed size; groups and threads only schedule. A tile is scanned
// behind its prefix. Few tiles are scanned as one. So the bits depend on n and the types alone.

template <class Problem, class Tiles, class Tuning>
struct cache_tiles_kernel {
  using state = typename Problem::state;
  using relay_type = prefix_relay<state, Tuning::relay_bytes>;

  Problem const* problem;
  Tiles tiles;
  std::size_t begin, end;  ///< tiles of this launch
  std::size_t group_size;  ///< tiles per group
  bool ends;               ///< whether the last tile of this launch is the last of all
  bool ticketed;
  relay_type* relay;

  std::size_t groups() const { return internal::divide_up(end - begin, group_size); }

  void operator()(int thread) const {
    state of_tile[Tiles::largest_group];  // aggregates, then prefixes
    for (std::size_t group = ticketed ? relay->take() : static_cast<std::size_t>(thread); group < groups();) {
      std::size_t const first = first_of(group), last = last_of(group);
      bool const is_last = ends && last == end;
      // Nobody asks for the aggregate of the last tile but the total.
      std::size_t const folded = is_last && problem->total.device == nullptr ? last - 1 : last;
      tiles.fold(first, folded, of_tile);
      wait_for(group);
      state const running = to_prefixes(of_tile, folded - first, relay->prefix(group));
      if (!is_last) relay->send(group + 1, running);
      else if (folded == last) problem->total.store(problem->monoid, running);
      else of_tile[folded - first] = running;
      std::size_t const next = ticketed ? relay->take() : groups();
      // The next group is prefetched where it is whole: the last tile may be a part of one.
      if (relay->leave(group)) tiles.scan(first, last, of_tile, next + 1 < groups() ? first_of(next) : 0);
      group = next;
    }
    tiles.finish();
  }

 private:
  std::size_t first_of(std::size_t group) const { return begin + group * group_size; }
  std::size_t last_of(std::size_t group) const { return std::min(first_of(group) + group_size, end); }

  /// Replaces `count` aggregates by their prefixes, the first of which is `running`; returns the prefix
  /// behind the last.
  state to_prefixes(state* of_tile, std::size_t count, state running) const {
    for (std::size_t k = 0; k < count; ++k) {
      state const next = problem->monoid(running, of_tile[k]);
      of_tile[k] = running;
      running = next;
    }
    return running;
  }

  /// Until the prefix of a group is there.
  void wait_for(std::size_t group) const {
    std::size_t const patience = group_size * Tiles::polls_a_tile;
    for (std::size_t before = group;;) {
      for (std::size_t polls = 0; polls < patience; ++polls) {
        if (relay->has(group)) return;
        compat::spin_pause();
      }
      std::size_t const last_sent = relay->latest(group);
      if (last_sent == group) return;
      // The thread that is waited for may need this core; a launch of one group per thread cannot end before it has
      // run.
      if (last_sent != before && !ticketed) compat::pause();
      if (last_sent == before) fall_back(last_sent);  // nobody has sent a prefix meanwhile
      before = last_sent;
    }
  }

  /// Folds a group that has its prefix, and is not the last, beside the thread that has taken it.
  void fall_back(std::size_t group) const {
    if (!relay->enter(group)) return;
    std::size_t const first = first_of(group), last = last_of(group);
    state of_tile[Tiles::largest_group];
    std::size_t tile = first;
    auto const fold_to = [&](std::size_t to) {
      tiles.fold(tile, to, of_tile + (tile - first));
      tile = to;
    };
    while (tile < last && !relay->has(group + 1)) fold_to(std::min(tile + Tiles::group_tiles, last));
    bool const folded = tile == last;
    if (folded) relay->send(group + 1, to_prefixes(of_tile, last - first, relay->prefix(group)));
    if (!relay->leave(group)) return;
    if (!folded) {
      fold_to(last);
      to_prefixes(of_tile, last - first, relay->prefix(group));
    }
    tiles.scan(first, last, of_tile, 0);
  }
};

struct cache_tiles_engine {
  static constexpr engine_memory memory = engine_memory::none;

  /// Spaces whose launches return when the kernel has run: the relay lives on the caller's stack.
  template <class ExecutionSpace>
  static constexpr bool runs_on = !compat::is_gpu<ExecutionSpace> && compat::launches_wait<ExecutionSpace>;

  /// Cores of this machine that are online. Which of them this program may use is not asked: the calling thread may
  /// be bound to one.
  static std::size_t cores() {
    static std::size_t const number = std::max(1u, std::thread::hardware_concurrency());
    return number;
  }

  /// tiles: what folds and scans them (cpu_tile_choice.hpp). Pre: n > 0.
  template <class Tuning, class ExecutionSpace, class Problem, class Tiles>
  static void scan(ExecutionSpace const& space, Problem const& problem, Tiles const& tiles, scan_names const& names) {
    using kernel_type = cache_tiles_kernel<Problem, Tiles, Tuning>;
    using relay_type = typename kernel_type::relay_type;
    std::size_t const count = internal::divide_up(problem.n, Tiles::size);
    auto const name = [&] { return internal::label(names.function, "scan", names.caller); };
    if (count < Tiles::parallel_tiles) {
      compat::run_on_this_thread(space, name, [&] {
        auto const all = tiles.scan_serially(problem.init.load());
        problem.total.store(problem.monoid, all);
      });
      return;
    }
    auto prefix = problem.init.load();
    // Scans tiles begin ... end - 1 behind `prefix`, which goes on.
    auto const scan_range = [&](std::size_t begin, std::size_t end, std::size_t threads, auto const& launch) {
      std::size_t const ticket = threads == 1 ? tiles.group_alone() : Tiles::group_tiles;
      bool const ticketed = threads == 1 || end - begin > threads * Tiles::largest_group || threads > cores();
      std::size_t const group_size = ticketed ? std::min(internal::divide_up(end - begin, threads), ticket)
                                              : internal::divide_up(end - begin, threads);
      // Where the relay is too small for all groups, several launches of about equal size.
      std::size_t const all_groups = internal::divide_up(end - begin, group_size);
      std::size_t const launch_tiles =
          internal::divide_up(all_groups, internal::divide_up(all_groups, relay_type::largest_count)) * group_size;
      for (std::size_t first = begin, last = 0; first < end; first = last) {
        last = std::min(first + launch_tiles, end);
        std::size_t const groups = internal::divide_up(last - first, group_size);
        relay_type relay(groups, prefix);
        launch(kernel_type{&problem, tiles, first, last, group_size, last == count, ticketed, &relay});
        if (last < count) prefix = relay.prefix(groups);
      }
    };
    auto const scan_alone = [&](std::size_t begin, std::size_t end) {
      if constexpr (Tiles::any_order) {  // no tile has to be folded first
        prefix = tiles.scan_on(begin, end, prefix);
        tiles.finish();
        if (end == count) problem.total.store(problem.monoid, prefix);
      } else {
        scan_range(begin, end, 1, [](kernel_type const& kernel) { kernel(0); });
      }
    };
    std::size_t const done = internal::begin_on_cpu(space, name, count, scan_alone,
                                                    {Tiles::least_nanoseconds * static_cast<double>(problem.n)});
    if (done == count) return;
    std::size_t const threads = std::clamp<std::size_t>(
        (count - done) / Tiles::tiles_per_thread, 1,
        std::min(static_cast<std::size_t>(compat::concurrency(space)), relay_type::largest_count));
    scan_range(done, count, threads,
               [&](kernel_type const& kernel) { internal::fork_on_cpu(space, name, threads, kernel); });
  }
};

}  // namespace upsweep::scan::detail
