// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::pack::detail {

/// Compile-time rules for a View that a call reads.
template <class ExecutionSpace, class In>
constexpr void require_input() {
  static_assert(Kokkos::is_execution_space_v<ExecutionSpace>,
                "upsweep: the first argument is an execution-space instance.");
  static_assert(view_of_rank_1<In>, "upsweep: the input is a View of rank 1.");
  static_assert(internal::reachable<ExecutionSpace, In>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
}

/// And for one that it writes elements of type T to.
template <class ExecutionSpace, class Out, class T>
constexpr void require_output() {
  static_assert(view_of_rank_1<Out> && !std::is_const_v<typename Out::value_type>,
                "upsweep: the output is a View of rank 1 with elements that can be assigned.");
  static_assert(internal::reachable<ExecutionSpace, Out>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  static_assert(internal::widens<T, typename Out::non_const_value_type>(),
                "upsweep: an element of the input does not fit in an element of the output. Give a wider output.");
}

/// For one that it reads offsets of rows or bins from, and one of integers that it writes.
template <class ExecutionSpace, class Offsets, class Out>
constexpr void require_offsets_and_output() {
  using T = typename Out::value_type;
  require_input<ExecutionSpace, Offsets>();
  require_output<ExecutionSpace, Out, T>();
  static_assert(std::is_integral_v<typename Offsets::value_type>, "upsweep: offsets are of an integer type.");
  static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>, "upsweep: the output is of an integer type.");
}

/// Memory for counts, a View of rank 0 for one or of rank 1 for several. Null where the View was refused: one error is
/// enough.
template <class ExecutionSpace, std::size_t Rank, class Counts>
std::uint64_t* data_of_counts(Counts const& counts) {
  constexpr bool is_right = compat::rank<Counts> == Rank && std::is_same_v<typename Counts::value_type, std::size_t>;
  static_assert(is_right,
                "upsweep: counts go to a View of std::size_t, of rank 0 for one count and of rank 1 for several.");
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Counts::memory_space>::accessible,
                "upsweep: the counts' View cannot be written by kernels of this execution space.");
  if constexpr (is_right) return counts.data();
  else return nullptr;
}

/// Whether neighbours are equal is asked of equal(element before, element).
template <class T, class Equal>
constexpr void require_equality() {
  static_assert(std::is_invocable_r_v<bool, Equal const&, T const&, T const&>,
                "upsweep: equality is called with two elements and returns bool.");
}

/// Rules for a call that copies elements of `in` to several outputs.
template <class ExecutionSpace, class In, class... Outs>
void require_copies(char const* function, internal::named<In> const& in, internal::named<Outs> const&... outs) {
  require_input<ExecutionSpace, In>();
  (require_output<ExecutionSpace, Outs, typename In::non_const_value_type>(), ...);
  internal::require_all_apart(function, in, outs...);
}

/// Rules for a call that finds runs of elements of `in`, and writes the first element and a result of each.
template <class ExecutionSpace, class Equal, class In, class Firsts, class Results>
void require_runs(char const* function, internal::named<In> const& in, internal::named<Firsts> const& firsts,
                  internal::named<Results> const& results) {
  using T = typename In::non_const_value_type;
  require_input<ExecutionSpace, In>();
  require_output<ExecutionSpace, Firsts, T>();
  require_output<ExecutionSpace, Results, typename Results::value_type>();
  require_equality<T, Equal>();
  internal::require_same_extent(firsts.view.extent(0), results.view.extent(0), function, firsts.name, results.name);
  internal::require_all_apart(function, in, firsts, results);
}

/// Throws overflow_error when more elements were chosen than the output has room for.
inline void require_room(std::uint64_t count, std::size_t room, char const* function) {
  if (count > room)
    throw overflow_error(std::string(function) + ": " + std::to_string(count) +
                         " results, but the output has room for " + std::to_string(room) +
                         " (the first of them are there)");
}

}  // namespace upsweep::pack::detail
