// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/scan/detail/calls/batched_call.hpp>

namespace upsweep {

/// A scan of every row of a matrix for itself: rows {1 2 3} and {4 5 6} give {1 3 6} and {4 9 15}.
///
/// Pre: in and out are Views of rank 2 with the same extents, of any layout; rows and columns may be few, many or none.
/// Cost: n reads, n writes, 1 launch; no workspace. Column-major on CPUs results are read once more, out of a cache,
///   where they are the monoid's states. Where rows are few and long, or an engine was asked for, or on GPUs
///   with warps where both Views are row-major without gaps, elements have 4, 8 or 16 bytes and states are as long:
///   that of one segmented_inclusive_scan by flags over all rows, but that no flags are read.
/// Order: operands (left, right); association fixed by extents, strides, the state's size and the backend: the same
/// bits in each run.
/// Sync: asynchronous with a workspace; without one it waits for the instance.
/// Aliasing: in and out may be the same View; a partial overlap of Views without gaps is refused.
/// Throws: precondition_error (extents, overlap, workspace of another instance), out_of_memory_error.
/// Source: B. Merry, *Prefix sums on GPUs*, blocks without the sums between them.
template <execution_space_argument ExecutionSpace, class In, class Out, class Engine = engine::automatic>
void batched_inclusive_scan(ExecutionSpace const& space, In const& in, Out const& out,
                            basic_scan_options<Engine> const& options = {}) {
  scan::detail::batched_call<true>(space, in, out, options, "batched_inclusive_scan");
}
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument Monoid,
          class Engine = engine::automatic>
void batched_inclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, Monoid const& monoid,
                            basic_scan_options<Engine> const& options = {}) {
  scan::detail::batched_call<true>(space, in, out, options, "batched_inclusive_scan", monoid);
}

/// The exclusive form: rows {1 2 3} and {4 5 6} give {0 1 3} and {0 4 9}. The rest as the inclusive form.
template <execution_space_argument ExecutionSpace, class In, class Out, class Engine = engine::automatic>
void batched_exclusive_scan(ExecutionSpace const& space, In const& in, Out const& out,
                            basic_scan_options<Engine> const& options = {}) {
  scan::detail::batched_call<false>(space, in, out, options, "batched_exclusive_scan");
}
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument Monoid,
          class Engine = engine::automatic>
void batched_exclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, Monoid const& monoid,
                            basic_scan_options<Engine> const& options = {}) {
  scan::detail::batched_call<false>(space, in, out, options, "batched_exclusive_scan", monoid);
}

UPSWEEP_WITHOUT_SPACE(batched_inclusive_scan)
UPSWEEP_WITHOUT_SPACE(batched_exclusive_scan)

}  // namespace upsweep
