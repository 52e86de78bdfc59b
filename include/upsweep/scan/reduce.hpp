// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/scan/detail/reduce/reduce_call.hpp>

namespace upsweep {

/// The combination of in(0) ... in(n-1), on the host: 2 4 6 8 1 3 5 7 gives 36. For no elements, the identity.
/// `Value` is the type of the result and, for plus<> and its kind, of the accumulator; by default the input's type.
///
/// Pre: in is a View of rank 1, or the number of elements and a functor of the index: `reduce(space, n, in)`. The
///   functor has no side effects: GPUs may call it twice for an index where states are wide.
/// Cost: n reads. GPUs: 1 launch; workspace: one state per tile, 1056 of them at most, and 32 bytes; none for 64 KB of
///   input or less. CPUs: 1 launch; workspace: one state per tile, and none where these states take 4 KB or less. A
///   tile has 32 KB of states where a View of built-in numbers is folded by the library's vectors
///   (docs/scan_on_cpus.md), else 2 KB. One thread folds what it ends before a launch would.
/// Order: operands (left, right), but in any order, at every length, where the monoid is plus, times or a bit operation
///   over built-in numbers, or min or max over integers; association and order fixed by n, the state's size and the
///   backend: the same bits in each run.
///   On GPUs identities may be combined with what a warp has: a sum of nothing but -0.0 may be 0.0.
/// Sync: waits for the instance.
/// Throws: precondition_error (n < 0, workspace of another instance), out_of_memory_error.
/// Source: article on reduction and scan, *tree reduction*.
template <class Value = void, execution_space_argument ExecutionSpace, class In>
auto reduce(ExecutionSpace const& space, In const& in, call_options const& options = {}) {
  return scan::detail::reduce_given<Value>(space, options, in);
}

/// The same with into{result}, with a monoid or with both, in this order: `reduce(space, in, into{result}, monoid,
/// options)`, `reduce(space, n, in, into{result}, monoid, options)`. A View of rank 0 gets the result on the device,
/// and nothing comes to the host; the call returns nothing then, nor where the result goes into a variable. `Value` is
/// the type of what the result goes into.
/// Sync: into a View, asynchronous with a workspace on GPUs; else it waits for the instance. The rest as above.
template <class Value = void, execution_space_argument ExecutionSpace, class In, call_argument First>
auto reduce(ExecutionSpace const& space, In const& in, First const& first, call_options const& options = {}) {
  return scan::detail::reduce_given<Value>(space, options, in, first);
}
template <class Value = void, execution_space_argument ExecutionSpace, class In, call_argument First,
          call_argument Second>
auto reduce(ExecutionSpace const& space, In const& in, First const& first, Second const& second,
            call_options const& options = {}) {
  return scan::detail::reduce_given<Value>(space, options, in, first, second);
}
template <class Value = void, execution_space_argument ExecutionSpace, class In, call_argument First,
          call_argument Second, call_argument Third>
auto reduce(ExecutionSpace const& space, In const& in, First const& first, Second const& second, Third const& third,
            call_options const& options = {}) {
  return scan::detail::reduce_given<Value>(space, options, in, first, second, third);
}

UPSWEEP_WITHOUT_SPACE(reduce)
UPSWEEP_OF_TYPE_WITHOUT_SPACE(reduce)

}  // namespace upsweep
