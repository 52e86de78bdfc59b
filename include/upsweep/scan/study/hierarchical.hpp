// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/monoids/state_monoid.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>

#include <cstddef>

namespace upsweep::scan::detail {

// What the two recursive engines share: a level has one block, of one tile, a team; the sums of a level are the
// elements of the next, until one block is left.

/// Sizes of the levels' arrays of sums, one behind the other.
template <class ExecutionSpace, class State>
std::size_t level_bytes(std::size_t n) {
  std::size_t states = 0;
  while (n > tile<ExecutionSpace, State>::size) {
    n = internal::divide_up(n, tile<ExecutionSpace, State>::size);
    states += n;
  }
  return sizeof(State) * states;
}

/// The level above: its elements are this level's sums, scanned exclusively in place behind the same initial value.
template <class Problem>
auto next_level(Problem const& problem, internal::contiguous_sequence<typename Problem::state> const& sums,
                std::size_t blocks) {
  using sequence = internal::contiguous_sequence<typename Problem::state>;
  using monoid = internal::state_monoid<typename Problem::monoid_type>;
  return scan_problem<sequence, sequence, monoid, false>{sums, sums, monoid{problem.monoid}, problem.init, blocks, {}};
}

/// A level above the first is made of states already, and is its own type of problem.
template <class Monoid>
inline constexpr bool is_state_monoid = false;
template <class Monoid>
inline constexpr bool is_state_monoid<internal::state_monoid<Monoid>> = true;

/// The problem of the level above, the same type from the second level on, so that recursion ends for
/// the compiler, too.
template <class Problem>
auto level_above(Problem const& problem, internal::contiguous_sequence<typename Problem::state> const& sums,
                 std::size_t blocks) {
  if constexpr (is_state_monoid<typename Problem::monoid_type>) {
    Problem above = problem;
    above.in = above.out = sums;
    above.n = blocks;
    return above;
  } else {
    return next_level(problem, sums, blocks);
  }
}

}  // namespace upsweep::scan::detail
