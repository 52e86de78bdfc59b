// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/coarsened.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::detail {

// How one team folds or scans a run of elements, tile after tile. A tile is `size` consecutive elements.
//
// On GPUs thread r of the team holds `items` consecutive elements (32 bytes of state, so that a warp's loads cover whole
// sectors) and the tile is scanned by team::coarsened over kogge_stone in level-0 scratch.
// On CPUs a team is one thread and a tile is a plain loop: no scratch, no barrier.

template <class ExecutionSpace, class State, bool Gpu = compat::is_gpu<ExecutionSpace>>
struct two_level_tile;

template <class ExecutionSpace, class State>
struct two_level_tile<ExecutionSpace, State, false> {
  static constexpr int team_size = 1;
  // One tile of 4-byte elements is half of a small L1 cache; 1024 blocks keep 256 threads evenly busy.
  static constexpr std::size_t size = 4096;
  static constexpr std::size_t max_blocks = 1024;
  static constexpr std::size_t scratch_bytes() { return 0; }

  template <class Member, class In, class Monoid>
  KOKKOS_FUNCTION static void fold(Member const&, std::size_t begin, std::size_t end, In const& in, Monoid const& monoid,
                                   State& running) {
    for (std::size_t i = begin; i < end; ++i) running = monoid(running, lift(monoid, in.load(i)));
  }

  template <bool Inclusive, class Member, class In, class Out, class Monoid>
  KOKKOS_FUNCTION static void scan(Member const&, std::size_t begin, std::size_t end, In const& in, Out const& out,
                                   Monoid const& monoid, State& running) {
    using output = typename Out::value_type;
    for (std::size_t i = begin; i < end; ++i) {
      auto const next = monoid(running, lift(monoid, in.load(i)));  // read before the store: in may be out
      out.store(i, lower<output>(monoid, Inclusive ? next : running));
      running = next;
    }
  }
};

template <class ExecutionSpace, class State>
struct two_level_tile<ExecutionSpace, State, true> {
  static constexpr int team_size = 256;
  static constexpr int items = sizeof(State) >= 32 ? 1 : static_cast<int>(32 / sizeof(State));
  static constexpr std::size_t size = std::size_t(team_size) * items;
  // Eight teams of 256 threads on each of 132 multiprocessors.
  static constexpr std::size_t max_blocks = 1056;
  using algorithm = team::coarsened<items>;
  static constexpr std::size_t scratch_bytes() { return algorithm::template scratch_bytes<State>(team_size) + 16; }

  template <class Member, class In, class Monoid>
  KOKKOS_FUNCTION static void fold(Member const& m, std::size_t begin, std::size_t end, In const& in, Monoid const& monoid,
                                   State& running) {
    State* const scratch = take_scratch(m);
    State values[items];
    for (std::size_t at = begin; at < end; at += size) {
      load(m, at, end, in, monoid, values);
      algorithm::reduce(m, values, monoid, scratch, running);
    }
  }

  template <bool Inclusive, class Member, class In, class Out, class Monoid>
  KOKKOS_FUNCTION static void scan(Member const& m, std::size_t begin, std::size_t end, In const& in, Out const& out,
                                   Monoid const& monoid, State& running) {
    using output = typename Out::value_type;
    State* const scratch = take_scratch(m);
    State values[items];
    for (std::size_t at = begin; at < end; at += size) {
      load(m, at, end, in, monoid, values);
      if constexpr (Inclusive) algorithm::inclusive_scan(m, values, monoid, scratch, running);
      else algorithm::exclusive_scan(m, values, monoid, scratch, running);
      std::size_t const first = at + static_cast<std::size_t>(m.team_rank()) * items;
    UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k)
        if (first + k < end) out.store(first + k, lower<output>(monoid, values[k]));
    }
  }

 private:
  template <class Member>
  KOKKOS_FUNCTION static State* take_scratch(Member const& m) {
    return static_cast<State*>(m.team_scratch(0).get_shmem_aligned(sizeof(State) * team_size, alignof(State)));
  }

  template <class Member, class In, class Monoid>
  KOKKOS_FUNCTION static void load(Member const& m, std::size_t at, std::size_t end, In const& in, Monoid const& monoid,
                                   State (&values)[items]) {
    std::size_t const first = at + static_cast<std::size_t>(m.team_rank()) * items;
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) values[k] = first + k < end ? lift(monoid, in.load(first + k)) : monoid.identity();
  }
};

}  // namespace upsweep::detail
