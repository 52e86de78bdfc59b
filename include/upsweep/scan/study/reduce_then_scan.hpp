// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/study/hierarchical.hpp>

#include <cstddef>

namespace upsweep::scan::detail {

// Reduce-then-scan (B. Merry, "Prefix sums on GPUs"; the up-sweep and down-sweep over blocks of Modern GPU):
//
//   reduce   team b folds block b into sums[b]
//            sums are scanned by the same engine, one level up
//   scan     team b scans block b from sums[b]
//
// Work to threads: one tile a team. Shared state: sums, between launches. Nothing is assumed about progress.
// Global traffic: 2 N reads, N writes, and the same for the N / tile sums of each level. Two launches a level, one for
// the last. A block's prefix is the scan of sums; association is fixed by n and the state's size.

template <class ExecutionSpace, class Problem>
struct reduce_then_scan_kernel {
  using state = typename Problem::state;
  using tile = detail::tile<ExecutionSpace, state>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  struct reduce {};
  struct scan {};

  Problem problem;
  std::size_t blocks;
  internal::contiguous_sequence<state> sums;  // null on the last level

  KOKKOS_FUNCTION void operator()(reduce, member const& m) const {
    auto const range = tile_range::of<tile>(static_cast<std::size_t>(m.league_rank()), problem.n);
    typename tile::held h;
    state const sum = tile::open(m, tile::take_scratch(m), range.begin, range.end, problem.in, problem.monoid, h);
    if (m.team_rank() == 0) sums.store(static_cast<std::size_t>(m.league_rank()), sum);
  }

  KOKKOS_FUNCTION void operator()(scan, member const& m) const {
    auto const block = static_cast<std::size_t>(m.league_rank());
    auto const range = tile_range::of<tile>(block, problem.n);
    typename tile::held h;
    state const prefix = sums.data == nullptr ? problem.init.load() : sums.load(block);
    state const sum = tile::open(m, tile::take_scratch(m), range.begin, range.end, problem.in, problem.monoid, h);
    tile::template close<Problem::inclusive>(m, range.begin, range.end, problem.in, problem.out, problem.monoid, h,
                                             prefix);
    if (block + 1 == blocks && m.team_rank() == 0) problem.total.store(problem.monoid, problem.monoid(prefix, sum));
  }
};

struct reduce_then_scan_engine {
  static constexpr engine_memory memory = engine_memory::ordinary;

  template <class ExecutionSpace, class State>
  static std::size_t bytes(std::size_t n) {
    return level_bytes<ExecutionSpace, State>(n);
  }

  /// Pre: n > 0; memory as bytes() says.
  template <class ExecutionSpace, class Problem>
  static void scan(ExecutionSpace const& space, Problem const& problem, std::byte* memory, scan_names const& names) {
    using kernel = reduce_then_scan_kernel<ExecutionSpace, Problem>;
    using tile = typename kernel::tile;
    std::size_t const blocks = internal::divide_up(problem.n, tile::size);
    kernel k{problem, blocks, {nullptr}};
    if (blocks > 1) {
      k.sums.data = reinterpret_cast<typename Problem::state*>(memory);
      launch_teams<typename kernel::reduce, tile>(space, k, blocks, "reduce", names);
      scan(space, level_above(problem, k.sums, blocks), memory + sizeof(typename Problem::state) * blocks, names);
    }
    launch_teams<typename kernel::scan, tile>(space, k, blocks, "scan", names);
  }
};

}  // namespace upsweep::scan::detail
