// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/detail/segments/segmented_sequences.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

// The reduction of runs of equal keys is an exclusive scan of states {value, runs}: at the first element of a run, what
// stands before it is the sum of the run before, and the run's number. These sequences make the states while an engine
// loads, and pass runs on while it stores; nothing is stored at other elements. The last run's sum is the scan's total.
// GPUs with warps and CPU threads know of runs, and combine values only (run_sum_work.hpp, run_sum_tiles.hpp).

/// The fold since the last run began, and how many have begun. Two words, so that no bytes are left unused beside
/// values of 4 bytes: nvcc 13 copies such a struct byte by byte.
template <class T>
struct run_sum {
  T value;
  std::uint32_t low, high;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t runs() const { return static_cast<std::uint64_t>(high) << 32 | low; }
};
template <class T>
KOKKOS_FORCEINLINE_FUNCTION run_sum<T> make_run_sum(T const& value, std::uint64_t runs) {
  return {value, static_cast<std::uint32_t>(runs), static_cast<std::uint32_t>(runs >> 32)};
}

template <class Monoid>
struct run_sums {
  using value_type = run_sum<typename Monoid::value_type>;
  Monoid op;

  KOKKOS_FUNCTION value_type identity() const { return {op.identity(), 0, 0}; }
  KOKKOS_FUNCTION value_type operator()(value_type const& left, value_type const& right) const {
    value_type both = make_run_sum(right.value, left.runs() + right.runs());
    if ((right.low | right.high) == 0) both.value = op(left.value, right.value);
    return both;
  }
  template <class Input>
  KOKKOS_FUNCTION value_type lift(run_sum<Input> const& x) const {
    return {upsweep::internal::lift(op, x.value), x.low, x.high};
  }
  KOKKOS_FUNCTION value_type lower(value_type const& state) const { return state; }
};

template <class Heads, class In>
struct run_sum_input {
  using value_type = run_sum<typename In::value_type>;
  Heads heads;
  In in;
  KOKKOS_FUNCTION value_type load(std::size_t i) const { return {in.load(i), heads.at(i) ? 1u : 0u, 0}; }
};

/// Passes runs on to `out`: out.begins(run, key) and out.ends(run, value of the monoid).
template <class Heads, class Out, class Monoid>
struct run_sum_output {
  using value_type = run_sum<typename Monoid::value_type>;
  Heads heads;
  Out out;
  Monoid monoid;

  /// before: the fold of all elements before i.
  KOKKOS_FUNCTION void store(std::size_t i, value_type const& before) const {
    if (!heads.at(i)) return;
    out.begins(before.runs(), heads.keys.load(i));
    if (before.runs() > 0) out.ends(before.runs() - 1, before.value);
  }
  KOKKOS_FUNCTION void finish(value_type const& all) const {
    if (all.runs() > 0) out.ends(all.runs() - 1, all.value);
    out.finish(all.runs());
  }
};

template <class Heads, class In, class Out, class Monoid>
using run_sum_problem =
    scan_problem<run_sum_input<Heads, In>, run_sum_output<Heads, Out, Monoid>, run_sums<Monoid>, false>;

template <class Problem>
inline constexpr bool is_run_sum_problem = false;
template <class Heads, class In, class Out, class Monoid>
inline constexpr bool is_run_sum_problem<run_sum_problem<Heads, In, Out, Monoid>> = true;

}  // namespace upsweep::scan::detail
