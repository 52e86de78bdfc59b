// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/look_back.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

// Chained scan (PMPP, single-pass "streaming" scan with dynamic block index): a tile waits for the prefix of its left
// neighbour, adds its own sum and passes the result on, like falling dominoes.
//
// It is the look-back protocol with one lane in which only prefixes are published: the walk back always ends at the left
// neighbour, because that is all that is waited for. A neighbour that stays silent is not helped (its aggregate would not do:
// the prefix before it is missing too), so the engine relies on every started team making progress. Kept for study: every
// tile waits for all before it, one after the other.

template <class ExecutionSpace, class Problem>
struct chained_kernel {
  using state = typename Problem::state;
  using tile = detail::tile<ExecutionSpace, state>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using protocol_type = look_back_protocol<typename Problem::monoid_type, 1>;
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
    if (m.team_rank() == 0) {
      state prefix = problem.init.load();
      if (number > 0)
        while (protocol.words.read(number - 1, shared.epoch, prefix) != tile_state::prefix) compat::pause();
      protocol.words.publish(number, shared.epoch, tile_state::prefix, problem.monoid(prefix, aggregate));
      shared.prefix = prefix;
    }
    m.team_barrier();
    tile::template close<Problem::inclusive>(m, range.begin, range.end, problem.in, problem.out, problem.monoid, held,
                                             shared.prefix);
    if (number + 1 == protocol.tiles && m.team_rank() == 0)
      problem.total.store(problem.monoid, problem.monoid(shared.prefix, aggregate));
    protocol.finish(m, shared);
  }
};

struct chained_engine {
  static constexpr engine_memory memory = engine_memory::protocol;

  /// Bytes of the protocol's region for a scan of n elements.
  template <class ExecutionSpace, class State>
  static std::size_t region_bytes(std::size_t n) {
    return look_back_engine::region_bytes<ExecutionSpace, State>(n);
  }

  /// Pre: as look_back_engine, with the same region.
  template <class ExecutionSpace, class Problem>
  static void scan(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory, scan_names const& names) {
    using kernel = chained_kernel<ExecutionSpace, Problem>;
    using tile = typename kernel::tile;
    auto* const words = reinterpret_cast<std::uint64_t*>(memory.region);
    std::size_t const tiles = divide_up(problem.n, tile::size);
    kernel const k{problem,
                   {reinterpret_cast<look_back_control*>(words), status_words<typename Problem::state>{words + control_words},
                    tiles, memory.bytes / sizeof(std::uint64_t) - control_words, memory.epoch_limit, 0}};
    launch_teams<typename kernel::scan, tile>(space, k, tiles, "chained", names,
                                              sizeof(typename kernel::scratch_type) + alignof(std::max_align_t));
  }
};

}  // namespace upsweep::detail
