// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/cpu/cpu_fork.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/internal/cpu/fork_time.hpp>
#include <upsweep/base/internal/cpu/guided_tickets.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/cpu/cpu_tile_choice.hpp>
#include <upsweep/scan/detail/cpu/cpu_tuning.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>

#include <algorithm>
#include <cstddef>

namespace upsweep::scan::detail {

/// What one thread takes for a reduction. Of built-in numbers in its cache that is known. Numbers that would fit in it
/// and come from memory take longer: then threads are woken later than would pay.
template <class Problem, class Tuning>
internal::work_cost reduction_cost(std::size_t n) {
  bool const is_known = has_cpu_kernels<Problem>() && n * sizeof(typename Problem::state) < Tuning::cached_bytes;
  return {cpu_tiles_of<Problem, Tuning>::least_fold_nanoseconds * static_cast<double>(n), is_known};
}

/// Tiles of a reduction that several threads may share; 0 where the calling thread does it alone in any case.
template <class ExecutionSpace, class Problem, class Tuning>
std::size_t parallel_reduction_tiles(ExecutionSpace const& space, std::size_t n) {
  auto const cost = reduction_cost<Problem, Tuning>(n);
  std::size_t const count = internal::divide_up(n, cpu_tiles_of<Problem, Tuning>::size);
  bool const is_short = count == 1 || (cost.is_known && internal::fork_time::is_too_short(cost.nanoseconds));
  return is_short || compat::concurrency(space) == 1 ? 0 : count;
}

/// The combination of all elements, by CPU threads. Pre: problem.n > 0; of_tile has parallel_reduction_tiles() entries.
///
/// Work to threads: the calling thread folds alone what it ends before a launch would. Else threads take ranges of
/// tiles by ticket and store one state per tile; the calling thread folds these at the end.
/// Shared state: the number of the next ticket; the states, which are read behind the launch.
/// Progress: a thread that loses its core delays the end of the launch, and no other thread.
/// Association: the strict left fold of tile aggregates, whatever threads there are. Where any order gives the same
/// bits, tiles that a thread takes together are folded as one: the end of a tile costs 10 ns, 3 % of one in the caches.
template <class Tuning, class ExecutionSpace, class Problem>
typename Problem::state reduce_on_cpu(ExecutionSpace const& space, Problem const& problem,
                                      typename Problem::state* of_tile, scan_names const& names) {
  using tiles_type = cpu_tiles_of<Problem, Tuning>;
  using state = typename Problem::state;
  constexpr std::size_t group = tiles_type::group_tiles;
  tiles_type const tiles = make_cpu_tiles<Tuning>(problem);
  std::size_t const count = internal::divide_up(problem.n, tiles_type::size);
  auto const name = [&] { return internal::label(names.function, "reduce", names.caller); };
  state total = problem.monoid.identity();
  auto const add = [&](state const* states, std::size_t number, bool are_first) {
    std::size_t k = 0;
    if (are_first) total = states[k++];
    for (; k < number; ++k) total = problem.monoid(total, states[k]);
  };
  auto const fold_alone = [&](std::size_t begin, std::size_t end) {
    if constexpr (tiles_type::any_order) {
      state const sum = tiles.fold_unordered(begin, end);
      add(&sum, 1, begin == 0);
    } else {
      state states[group];
      for (std::size_t first = begin; first < end; first += group) {
        std::size_t const last = std::min(first + group, end);
        tiles.fold(first, last, states);
        add(states, last - first, first == 0);
      }
    }
  };
  std::size_t done = count;
  if (of_tile == nullptr) compat::run_on_this_thread(space, name, [&] { fold_alone(0, count); });
  else done = internal::begin_on_cpu(space, name, count, fold_alone, reduction_cost<Problem, Tuning>(problem.n));
  if (done == count) return total;
  internal::guided_tickets const tickets(count - done, static_cast<std::size_t>(compat::concurrency(space)));
  internal::share_on_cpu(space, name, tickets, [&](std::size_t first, std::size_t last, std::size_t ticket) {
    if constexpr (tiles_type::any_order) of_tile[ticket] = tiles.fold_unordered(done + first, done + last);
    else tiles.fold(done + first, done + last, of_tile + first);
  });
  add(of_tile, tiles_type::any_order ? tickets.count() : count - done, done == 0);
  return total;
}

}  // namespace upsweep::scan::detail
