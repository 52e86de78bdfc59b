// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/problem/contiguous_bytes.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upsweep::scan::detail {

// Look-back where one thread of a team looks: one launch, every element read once and written once. Kept for study: it
// is what the chained scan of the textbooks runs (chained.hpp), and by it threads of a CPU, and the tools that watch
// them, go through the protocol of the GPUs' engines.
//
// Work to threads: a team takes the next tile from the ticket, loads and folds it (tile.hpp). Its first thread
// publishes the aggregate, waits for the prefix of the tile before and passes its own on (decoupled_look_back.hpp, with
// one lane). Then the team stores.
// Scratch: the tile's, a number and a state.
// Progress: with Fallback, none is assumed beyond that a started team's publications arrive; a stalled predecessor is
// reduced by its successor. Without it every started team must get on.
template <class ExecutionSpace, class Problem, bool Fallback>
struct look_back_kernel {
  using state = typename Problem::state;
  using tile = detail::tile<ExecutionSpace, state>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using prefixes_type = decoupled_look_back<typename Problem::monoid_type, internal::one_lane>;
  static_assert(!Fallback || tile::team_size == 1,
                "upsweep: one thread reduces a tile as its owner does only where a team is one thread.");
  struct scan {};
  struct shared {
    std::uint64_t number;
    state prefix;
  };

  Problem problem;
  prefixes_type prefixes;

  KOKKOS_FUNCTION void operator()(scan, member const& m) const {
    state* const scratch = tile::take_scratch(m);
    auto& s = *static_cast<shared*>(m.team_scratch(0).get_shmem_aligned(sizeof(shared), alignof(shared)));
    if (m.team_rank() == 0) s.number = Kokkos::atomic_fetch_add(&prefixes.control->ticket, std::uint64_t(1));
    m.team_barrier();
    std::size_t const number = s.number;
    auto const epoch = static_cast<std::uint32_t>(compat::load_word(&prefixes.control->epoch));
    auto const range = tile_range::of<tile>(number, problem.n);
    typename tile::held held;
    state const aggregate = tile::open(m, scratch, range.begin, range.end, problem.in, problem.monoid, held);
    if (m.team_rank() == 0) {
      prefixes.publish(number, epoch, aggregate);
      auto const found = find_prefix(m, scratch, number, epoch);
      s.prefix = found.exclusive;
      if (number + 1 == prefixes.tiles) problem.total.store(problem.monoid, found.inclusive);
    }
    m.team_barrier();
    tile::template close<Problem::inclusive>(m, range.begin, range.end, problem.in, problem.out, problem.monoid, held,
                                             s.prefix);
    if (m.team_rank() == 0) prefixes.finish(prefixes.tiles, epoch, 0);
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

  KOKKOS_FUNCTION typename prefixes_type::prefix find_prefix(member const& m, [[maybe_unused]] state* scratch,
                                                             std::size_t number, std::uint32_t epoch) const {
    state const init = problem.init.load();
    if constexpr (Fallback)
      return prefixes.wait_for_prefix(number, epoch, problem.monoid, init, 0, reduce_tile{*this, m, scratch});
    else return prefixes.wait_for_prefix(number, epoch, problem.monoid, init, 0, no_fallback{});
  }
};

struct one_lane_look_back_engine {
  static constexpr engine_memory memory = engine_memory::protocol;

  /// Bytes of the protocol's region for a scan of n elements.
  template <class ExecutionSpace, class Problem>
  static std::size_t region_bytes(std::size_t n) {
    using prefixes = decoupled_look_back<typename Problem::monoid_type, internal::one_lane>;
    return prefix_bytes<prefixes>(internal::divide_up(n, tile<ExecutionSpace, typename Problem::state>::size));
  }

  /// With a fallback where a team is one thread, as on CPUs; without one on GPUs, where every team that has begun gets
  /// on. Pre: n > 0; the region is as long as region_bytes() says
  /// and was zeroed before its first use.
  template <class ExecutionSpace, class Problem>
  static void scan(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                   scan_names const& names) {
    run<tile<ExecutionSpace, typename Problem::state>::team_size == 1>(space, problem, memory, "one_lane_look_back",
                                                                       names);
  }

  /// The same with or without fallback. Pre: as scan.
  template <bool Fallback, class ExecutionSpace, class Problem>
  static void run(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                  std::string_view phase, scan_names const& names) {
    using kernel = look_back_kernel<ExecutionSpace, Problem, Fallback>;
    using tile = typename kernel::tile;
    std::size_t const tiles = internal::divide_up(problem.n, tile::size);
    auto const prefixes =
        make_prefixes<typename kernel::prefixes_type, ExecutionSpace>(memory, tiles, may_be_in_place(problem));
    launch_teams<typename kernel::scan, tile>(space, kernel{problem, prefixes}, tiles, phase, names,
                                              sizeof(typename kernel::shared) + alignof(std::max_align_t));
  }
};

}  // namespace upsweep::scan::detail
