// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/scan/detail/reduce/reduce_call.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep {

/// The combination of in(0) ... in(n-1), on the host: 2 4 6 8 1 3 5 7 gives 36. For no elements, the identity.
/// `Value` is the type of the result and, for plus<> and its kind, of the accumulator; by default the input's type.
///
/// Pre: in is a functor of the index, without side effects: GPUs may call it twice for an index where states are wide.
///   The overload below takes a View.
/// Cost: n reads. GPUs: 1 launch; workspace: one state per tile, 528 of them at most, and 32 bytes; none for 64 KB of
///   input or less. CPUs: 1 launch; workspace: one state per tile of 32 KB, or of 8 KB where states are no built-in
///   numbers, and none where these states take 1 KB or less. One thread folds what it ends before a launch would.
/// Order: operands (left, right), but sums, products and the like of up to 64 KB of built-in numbers in any order on
///   GPUs; association and order fixed by n, the state's size and the backend: the same bits in each run.
///   On GPUs identities may be combined with what a warp has: a sum of nothing but -0.0 may be 0.0.
/// Sync: waits for the instance.
/// Throws: precondition_error (workspace of another instance), out_of_memory_error.
/// Source: article on reduction and scan, *tree reduction*.
template <class Value = void, class ExecutionSpace, index_functor In, monoid_argument Monoid = plus<>>
auto reduce(ExecutionSpace const& space, std::size_t n, In const& in, Monoid const& monoid = {},
            call_options const& options = {}) {
  using value = std::conditional_t<std::is_void_v<Value>, internal::sequence_value_t<In>, Value>;
  return scan::detail::reduce_call<value>(space, n, internal::make_sequence(in), monoid, options);
}

/// The same over a View of rank 1.
template <class Value = void, class ExecutionSpace, view_of_rank_1 In, monoid_argument Monoid = plus<>>
auto reduce(ExecutionSpace const& space, In const& in, Monoid const& monoid = {}, call_options const& options = {}) {
  static_assert(internal::reachable<ExecutionSpace, In>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  using value = std::conditional_t<std::is_void_v<Value>, typename In::non_const_value_type, Value>;
  return scan::detail::reduce_call<value>(space, in.extent(0), internal::make_sequence(in), monoid, options);
}

/// reduce() to a View of rank 0 that kernels can reach: nothing comes to the host. `Value` is the View's type.
/// Sync: asynchronous with a workspace on GPUs; else it waits for the instance. The rest as above.
template <class ExecutionSpace, index_functor In, class Result, monoid_argument Monoid = plus<>>
  requires Kokkos::is_view_v<Result>
void reduce(ExecutionSpace const& space, std::size_t n, In const& in, Result const& result, Monoid const& monoid = {},
            call_options const& options = {}) {
  scan::detail::reduce_to_view(space, n, internal::make_sequence(in), monoid, result, options);
}

/// The same over a View of rank 1.
template <class ExecutionSpace, view_of_rank_1 In, class Result, monoid_argument Monoid = plus<>>
  requires Kokkos::is_view_v<Result>
void reduce(ExecutionSpace const& space, In const& in, Result const& result, Monoid const& monoid = {},
            call_options const& options = {}) {
  static_assert(internal::reachable<ExecutionSpace, In>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  scan::detail::reduce_to_view(space, in.extent(0), internal::make_sequence(in), monoid, result, options);
}

}  // namespace upsweep
