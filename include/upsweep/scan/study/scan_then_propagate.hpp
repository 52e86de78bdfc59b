// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/study/hierarchical.hpp>

#include <cstddef>

namespace upsweep::scan::detail {

// Scan-then-propagate (PMPP fig. 11.9 and 11.10, hierarchical scan of any length):
//
//   scan   team b scans block b for itself and leaves its sum in sums[b]
//          sums are scanned by the same engine, one level up
//   add    team b puts sums[b] in front of each of its results
//
// Work to threads: one tile per team; in `add`, a thread's elements one after the other. Global traffic: N reads and N
// writes for the scan, the same again for the addition; the results of the first pass are states, so they need memory
// of their own where an output element cannot hold one (lower): N states. Three launches per level except the last.
// Kept for study: it moves 4 N where reduce_then_scan moves 3 N.

template <class ExecutionSpace, class Problem>
struct scan_then_propagate_kernel {
  using state = typename Problem::state;
  using tile = detail::tile<ExecutionSpace, state>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  struct scan {};
  struct add {};

  Problem problem;
  std::size_t blocks;
  internal::contiguous_sequence<state> sums;      // null on the last level
  internal::contiguous_sequence<state> partials;  // N states

  KOKKOS_FUNCTION void operator()(scan, member const& m) const {
    auto const block = static_cast<std::size_t>(m.league_rank());
    auto const range = tile_range::of<tile>(block, problem.n);
    typename tile::held h;
    state const prefix = sums.data == nullptr ? problem.init.load() : problem.monoid.identity();
    state const sum = tile::open(m, tile::take_scratch(m), range.begin, range.end, problem.in, problem.monoid, h);
    if (sums.data == nullptr) {
      tile::template close<Problem::inclusive>(m, range.begin, range.end, problem.in, problem.out, problem.monoid, h,
                                               prefix);
      if (m.team_rank() == 0) problem.total.store(problem.monoid, problem.monoid(prefix, sum));
    } else {
      tile::template close<Problem::inclusive>(m, range.begin, range.end, problem.in, partials,
                                               internal::state_monoid<typename Problem::monoid_type>{problem.monoid}, h,
                                               prefix);
      if (m.team_rank() == 0) sums.store(block, sum);
    }
  }

  KOKKOS_FUNCTION void operator()(add, member const& m) const {
    using output = typename Problem::output;
    auto const block = static_cast<std::size_t>(m.league_rank());
    auto const range = tile_range::of<tile>(block, problem.n);
    state const prefix = sums.load(block);
    for (std::size_t i = range.begin + static_cast<std::size_t>(m.team_rank()); i < range.end;
         i += static_cast<std::size_t>(m.team_size())) {
      state const mine = problem.monoid(prefix, partials.load(i));
      if (i + 1 == problem.n && problem.total.device != nullptr) {  // before the store: in may be out
        state const last =
            Problem::inclusive ? mine : problem.monoid(mine, internal::lift(problem.monoid, problem.in.load(i)));
        problem.total.store(problem.monoid, last);
      }
      problem.out.store(i, internal::lower<output>(problem.monoid, mine));
    }
  }
};

struct scan_then_propagate_engine {
  static constexpr engine_memory memory = engine_memory::ordinary;

  template <class ExecutionSpace, class State>
  static std::size_t bytes(std::size_t n) {
    std::size_t states = 0;
    for (std::size_t level = n; level > tile<ExecutionSpace, State>::size;) {
      states += level;  // its partial results
      level = internal::divide_up(level, tile<ExecutionSpace, State>::size);
      states += level;  // its sums
    }
    return sizeof(State) * states;
  }

  /// Pre: n > 0; memory as bytes() says.
  template <class ExecutionSpace, class Problem>
  static void scan(ExecutionSpace const& space, Problem const& problem, std::byte* memory, scan_names const& names) {
    using kernel = scan_then_propagate_kernel<ExecutionSpace, Problem>;
    using tile = typename kernel::tile;
    std::size_t const blocks = internal::divide_up(problem.n, tile::size);
    kernel k{problem, blocks, {nullptr}, {nullptr}};
    if (blocks > 1) {
      k.partials.data = reinterpret_cast<typename Problem::state*>(memory);
      k.sums.data = k.partials.data + problem.n;
    }
    launch_teams<typename kernel::scan, tile>(space, k, blocks, "scan", names);
    if (blocks == 1) return;
    scan(space, level_above(problem, k.sums, blocks), reinterpret_cast<std::byte*>(k.sums.data + blocks), names);
    launch_teams<typename kernel::add, tile>(space, k, blocks, "add", names);
  }
};

}  // namespace upsweep::scan::detail
