// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/index.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/look_back_protocol.hpp>
#include <upsweep/scan/detail/scan_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace upsweep::detail {

// Decoupled look-back (Merrill and Garland): one launch, every element read once and written once.
//
// Work to threads: a team takes the next tile from the ticket, loads and folds it, publishes the aggregate, looks back for
// its prefix and stores (tile.hpp, look_back_protocol.hpp). Scratch: the tile's, and one value a lane.
// Shared state and memory order: look_back_protocol.hpp. Progress: none is assumed beyond that a started team's publications
// arrive; a silent predecessor is reduced by its successor.
// On CPUs a team is one thread with one lane: never chosen there by itself, but it runs, so that threads and sanitizers
// exercise the protocol.

/// Where the protocol lives: a region of the workspace that only it uses.
struct look_back_memory {
  std::byte* region;
  std::size_t bytes;
  std::uint32_t epoch_limit = largest_epoch;
  int polls = 0;  ///< 0: the backend's default
};

template <class ExecutionSpace, class Problem, int Lanes>
struct look_back_kernel {
  using state = typename Problem::state;
  using tile = detail::tile<ExecutionSpace, state>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using protocol_type = look_back_protocol<typename Problem::monoid_type, Lanes>;
  using scratch_type = typename protocol_type::scratch;
  struct scan {};

  Problem problem;
  protocol_type protocol;

  KOKKOS_FUNCTION void operator()(scan, member const& m) const {
    state* const scratch = tile::take_scratch(m);
    auto& shared = *static_cast<scratch_type*>(m.team_scratch(0).get_shmem_aligned(sizeof(scratch_type), alignof(scratch_type)));
    protocol.take_tile(m, shared);
    std::size_t const number = shared.tile;
    auto const range = tile_range::of<tile>(number, problem.n);
    typename tile::held held;
    state const aggregate = tile::open(m, scratch, range.begin, range.end, problem.in, problem.monoid, held);
    state const prefix = protocol.prefix_of(m, shared, problem.monoid, problem.init.load(), aggregate,
                                            reduce_tile{*this, m, scratch});
    tile::template close<Problem::inclusive>(m, range.begin, range.end, problem.in, problem.out, problem.monoid, held, prefix);
    if (number + 1 == protocol.tiles && m.team_rank() == 0)
      problem.total.store(problem.monoid, problem.monoid(prefix, aggregate));
    protocol.finish(m, shared);
  }

 private:
  /// The aggregate of another tile, from its input, by the code that its owner runs.
  struct reduce_tile {
    look_back_kernel const& kernel;
    member const& m;
    state* scratch;
    KOKKOS_FUNCTION state operator()(std::size_t number) const {
      auto const range = tile_range::of<tile>(number, kernel.problem.n);
      typename tile::held held;
      return tile::open(m, scratch, range.begin, range.end, kernel.problem.in, kernel.problem.monoid, held);
    }
  };
};

struct look_back_engine {
  static constexpr engine_memory memory = engine_memory::protocol;

  /// Bytes of the protocol's region for a scan of n elements.
  template <class ExecutionSpace, class State>
  static std::size_t region_bytes(std::size_t n) {
    std::size_t const tiles = divide_up(n, tile<ExecutionSpace, State>::size);
    return sizeof(std::uint64_t) * (control_words + tiles * status_words<State>::stride);
  }

  /// Pre: n > 0; the region is as long as region_bytes() says and was zeroed before its first use.
  template <class ExecutionSpace, class Problem, int Lanes = tuning<ExecutionSpace>::lanes>
  static void scan(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory, scan_names const& names) {
    using kernel = look_back_kernel<ExecutionSpace, Problem, Lanes>;
    using tile = typename kernel::tile;
    using state = typename Problem::state;
    auto* const words = reinterpret_cast<std::uint64_t*>(memory.region);
    std::size_t const tiles = divide_up(problem.n, tile::size);
    kernel const k{problem,
                   {reinterpret_cast<look_back_control*>(words), status_words<state>{words + control_words}, tiles,
                    memory.bytes / sizeof(std::uint64_t) - control_words, memory.epoch_limit,
                    memory.polls > 0 ? memory.polls : tuning<ExecutionSpace>::polls}};
    launch_teams<typename kernel::scan, tile>(space, k, tiles, "look_back", names,
                                              sizeof(typename kernel::scratch_type) + alignof(std::max_align_t));
  }
};

}  // namespace upsweep::detail
