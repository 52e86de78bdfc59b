// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/monoids/state_monoid.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>

#include <algorithm>
#include <cstddef>

namespace upsweep::scan::detail {

// Two-level scan (B. Merry, "Prefix sums on GPUs": a fixed number of blocks that saturates the device).
//
//   reduce   team b folds block b into sums[b]
//   spine    one team turns sums into the prefix of each block, behind the initial value
//   scan     team b scans block b from its prefix; not where only the total is wanted
//
// Work to threads: a block is a run of whole tiles, taken one after the other by one team (tile.hpp).
// Shared state: sums, written by one launch and read by the next; launches on one instance are ordered, nothing else is
// assumed, so the engine runs on any backend. Global traffic: 2 N reads, N writes and O(blocks).
// The cut into blocks depends on n and the state's size alone, never on the number of threads, so a floating-point
// result has the same bits for any thread count of one backend.

/// How n elements are cut into blocks.
struct two_level_shape {
  std::size_t block_size;
  std::size_t blocks;

  template <class Tile>
  static two_level_shape of(std::size_t n) {
    std::size_t const tiles = std::max<std::size_t>(1, internal::divide_up(n, Tile::size));
    std::size_t const tiles_per_block = internal::divide_up(tiles, Tile::max_blocks);
    return {tiles_per_block * Tile::size, internal::divide_up(tiles, tiles_per_block)};
  }
};

template <class ExecutionSpace, class Problem, class Tuning>
struct two_level_kernel {
  using state = typename Problem::state;
  using tile = detail::tile<ExecutionSpace, state, Tuning>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  struct reduce {};
  struct spine {};
  struct scan {};

  Problem problem;
  two_level_shape shape;
  internal::contiguous_sequence<state>
      sums;  // one per block, then its prefix; null where one block is all that is scanned

  KOKKOS_FUNCTION void operator()(reduce, member const& m) const {
    std::size_t const begin = static_cast<std::size_t>(m.league_rank()) * shape.block_size;
    state sum = problem.monoid.identity();
    tile::fold(m, tile::take_scratch(m), begin, end_of(begin), problem.in, problem.monoid, sum);
    if (m.team_rank() == 0) sums.store(static_cast<std::size_t>(m.league_rank()), sum);
  }

  KOKKOS_FUNCTION void operator()(spine, member const& m) const {
    internal::state_monoid<typename Problem::monoid_type> const monoid{problem.monoid};
    state running = problem.init.load();
    tile::template scan<false>(m, tile::take_scratch(m), 0, shape.blocks, sums, sums, monoid, running);
  }

  KOKKOS_FUNCTION void operator()(scan, member const& m) const {
    auto const block = static_cast<std::size_t>(m.league_rank());
    std::size_t const begin = block * shape.block_size;
    state running = sums.data == nullptr ? problem.init.load() : sums.load(block);
    tile::template scan<Problem::inclusive>(m, tile::take_scratch(m), begin, end_of(begin), problem.in, problem.out,
                                            problem.monoid, running);
    if (block + 1 == shape.blocks && m.team_rank() == 0) problem.total.store(problem.monoid, running);
  }

 private:
  KOKKOS_FUNCTION std::size_t end_of(std::size_t begin) const {
    return Kokkos::min(begin + shape.block_size, problem.n);
  }
};

struct two_level_engine {
  static constexpr engine_memory memory = engine_memory::ordinary;

  /// Bytes of temporary memory for a scan of n elements.
  template <class ExecutionSpace, class State, class Tuning = engine::tuning<ExecutionSpace>>
  static std::size_t bytes(std::size_t n) {
    return sizeof(State) * two_level_shape::of<tile<ExecutionSpace, State, Tuning>>(n).blocks;
  }

  /// Pre: n > 0; memory as bytes() says.
  template <class ExecutionSpace, class Problem, class Tuning = engine::tuning<ExecutionSpace>>
  static void scan(ExecutionSpace const& space, Problem const& problem, std::byte* memory, scan_names const& names) {
    using kernel = two_level_kernel<ExecutionSpace, Problem, Tuning>;
    using tile = typename kernel::tile;
    auto const shape = two_level_shape::of<tile>(problem.n);
    kernel k{problem, shape, {nullptr}};
    if (shape.blocks > 1) {
      k.sums.data = reinterpret_cast<typename Problem::state*>(memory);
      launch_teams<typename kernel::reduce, tile>(space, k, shape.blocks, "reduce", names);
      launch_teams<typename kernel::spine, tile>(space, k, 1, "spine", names);
    }
    launch_teams<typename kernel::scan, tile>(space, k, shape.blocks, "scan", names);
  }
};

}  // namespace upsweep::scan::detail
