// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/base/label.hpp>
#include <upsweep/scan/detail/initial_value.hpp>
#include <upsweep/scan/detail/two_level_tile.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace upsweep::detail {

// Two-level scan (B. Merry, "Prefix sums on GPUs": a fixed number of blocks that saturates the device).
//
//   reduce   team b folds block b into sums[b]
//   spine    one team turns sums into the prefix of each block, behind the initial value
//   scan     team b scans block b from its prefix
//
// Work to threads: a block is a run of whole tiles, taken one after the other by one team (see two_level_tile.hpp).
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
    std::size_t const tiles = std::max<std::size_t>(1, divide_up(n, Tile::size));
    std::size_t const tiles_per_block = divide_up(tiles, Tile::max_blocks);
    return {tiles_per_block * Tile::size, divide_up(tiles, tiles_per_block)};
  }
};

struct reduce_tag {};
struct spine_tag {};
struct scan_tag {};

template <class ExecutionSpace, class In, class Out, class Monoid, bool Inclusive>
struct two_level_kernel {
  using state = typename Monoid::value_type;
  using tile = two_level_tile<ExecutionSpace, state>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  In in;
  Out out;
  Monoid monoid;
  initial_value<state> init;
  std::size_t n;
  std::size_t block_size;
  std::size_t blocks;
  state* sums;  // blocks + 1 entries: the total follows the prefixes

  KOKKOS_FUNCTION void operator()(reduce_tag, member const& m) const {
    auto const begin = static_cast<std::size_t>(m.league_rank()) * block_size;
    auto const end = Kokkos::min(begin + block_size, n);
    state sum = monoid.identity();
    tile::fold(m, begin, end, in, monoid, sum);
    if (m.team_rank() == 0) sums[m.league_rank()] = sum;
  }

  KOKKOS_FUNCTION void operator()(spine_tag, member const& m) const {
    state running = init.load();
    contiguous_state const all{sums};
    tile::template scan<false>(m, 0, blocks, all, all, spine_monoid{monoid}, running);
    if (m.team_rank() == 0) sums[blocks] = running;
  }

  KOKKOS_FUNCTION void operator()(scan_tag, member const& m) const {
    auto const begin = static_cast<std::size_t>(m.league_rank()) * block_size;
    auto const end = Kokkos::min(begin + block_size, n);
    state running = sums == nullptr ? init.load() : sums[m.league_rank()];
    tile::template scan<Inclusive>(m, begin, end, in, out, monoid, running);
  }

 private:
  // The spine scans states, which must not pass through lift and lower again.
  struct contiguous_state {
    using value_type = state;
    state* data;
    KOKKOS_FUNCTION state load(std::size_t i) const { return data[i]; }
    KOKKOS_FUNCTION void store(std::size_t i, state const& value) const { data[i] = value; }
  };
  struct spine_monoid {
    using value_type = state;
    Monoid monoid;
    KOKKOS_FUNCTION state identity() const { return monoid.identity(); }
    KOKKOS_FUNCTION state operator()(state const& left, state const& right) const { return monoid(left, right); }
    KOKKOS_FUNCTION state lift(state const& s) const { return s; }
    KOKKOS_FUNCTION state lower(state const& s) const { return s; }
  };
};

/// Output of a reduction: there is none but the total.
template <class T>
struct no_output {
  using value_type = T;
};

/// Runs one of the kernel's phases with as many teams as given.
template <class Tag, class ExecutionSpace, class Kernel>
void launch_two_level(ExecutionSpace const& space, Kernel const& kernel, std::size_t teams, std::string_view function,
                      std::string_view phase, std::string_view caller) {
  using tile = typename Kernel::tile;
  using policy = Kokkos::TeamPolicy<ExecutionSpace, Tag, Kokkos::LaunchBounds<tile::team_size>>;
  Kokkos::parallel_for(label(function, phase, caller),
                       policy(space, static_cast<int>(teams), tile::team_size)
                           .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(tile::scratch_bytes()))),
                       kernel);
}

/// Bytes of temporary memory that a scan or reduction of n elements takes.
template <class ExecutionSpace, class State>
std::size_t two_level_bytes(std::size_t n) {
  return sizeof(State) * (two_level_shape::of<two_level_tile<ExecutionSpace, State>>(n).blocks + 1);
}

/// Scan of in(0 .. n-1) into out. Pre: n > 0; memory as two_level_bytes says.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Monoid>
void two_level_scan(ExecutionSpace const& space, std::size_t n, In const& in, Out const& out, Monoid const& monoid,
                    initial_value<typename Monoid::value_type> const& init, std::byte* memory, std::string_view function,
                    std::string_view caller) {
  using kernel_type = two_level_kernel<ExecutionSpace, In, Out, Monoid, Inclusive>;
  using state = typename Monoid::value_type;
  auto const shape = two_level_shape::of<typename kernel_type::tile>(n);
  kernel_type kernel{in, out, monoid, init, n, shape.block_size, shape.blocks, nullptr};
  if (shape.blocks > 1) {
    kernel.sums = reinterpret_cast<state*>(memory);
    launch_two_level<reduce_tag>(space, kernel, shape.blocks, function, "reduce", caller);
    launch_two_level<spine_tag>(space, kernel, 1, function, "spine", caller);
  }
  launch_two_level<scan_tag>(space, kernel, shape.blocks, function, "scan", caller);
}

/// Fold of in(0 .. n-1) behind init; returns where the state lies on the device. Pre: as two_level_scan.
template <class ExecutionSpace, class In, class Monoid>
typename Monoid::value_type* two_level_reduce(ExecutionSpace const& space, std::size_t n, In const& in, Monoid const& monoid,
                                              initial_value<typename Monoid::value_type> const& init, std::byte* memory,
                                              std::string_view function, std::string_view caller) {
  using state = typename Monoid::value_type;
  using kernel_type = two_level_kernel<ExecutionSpace, In, no_output<state>, Monoid, false>;
  auto const shape = two_level_shape::of<typename kernel_type::tile>(n);
  auto* const sums = reinterpret_cast<state*>(memory);
  kernel_type const kernel{in, {}, monoid, init, n, shape.block_size, shape.blocks, sums};
  launch_two_level<reduce_tag>(space, kernel, shape.blocks, function, "reduce", caller);
  launch_two_level<spine_tag>(space, kernel, 1, function, "spine", caller);
  return sums + shape.blocks;
}

}  // namespace upsweep::detail
