// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/scan/detail/reduce/segmented_reduce_call.hpp>
#include <upsweep/scan/segments.hpp>

namespace upsweep {

/// The combination of every segment's elements, in order; the identity for an empty one: 1 2 3 4 with segment_offsets 0
/// 2 2 4 gives 3 0 7.
/// `segmented_reduce(space, in, segment_offsets{offsets}, out);`
///
/// In place of the View in, the number of elements and a functor of the index: `segmented_reduce(space, n, in,
/// segment_offsets{offsets}, out, monoid, options)`.
///
/// Pre: the offsets start with 0, never decrease, and end with the number of elements; out has one element
///   less than they.
/// Cost: n reads, about 2 of each offset, one write per segment. GPUs with warps: 1 launch;
///   workspace 8 bytes and a state for each 2 KB of the input (1 KB where elements have one byte or states 32 bytes; up
///   to 16 KB in long inputs), whether segments are long or not; nothing up to 4096 elements.
///   Others: 2 launches, of which the second takes no fork on CPUs; workspace 2 states and 16 bytes for each 32768
///   elements and segments (4096 on GPUs without warps).
/// Order: operands (left, right), but in any order where the monoid is plus, times or a bit operation over built-in
///   numbers, or min or max over integers; association and order fixed by the backend, n, the number of segments and
///   where a segment lies: the same bits in each run. On GPUs identities may be combined with what a warp has: the sum
///   of a long segment of nothing but -0.0 may be 0.0.
/// Sync: asynchronous with a workspace on GPUs; without one it waits for the instance. On CPUs it waits.
/// Aliasing: in and offsets may not overlap with out.
/// Throws: precondition_error (n < 0, extents, overlap, workspace of another instance), out_of_memory_error. For a
///   wrong offset, found while elements are combined: without a workspace precondition_error naming the first; with
///   one, workspace::check does, and the results are those of some other segments, or are not written.
/// Source: D. Merrill and M. Garland, *Merge-based parallel sparse matrix-vector multiplication* (2016): blocks of
///   equal work on CPUs.
template <execution_space_argument ExecutionSpace, class In, class Segments, class Out>
void segmented_reduce(ExecutionSpace const& space, In const& in, Segments const& segments, Out const& out,
                      call_options const& options = {}) {
  scan::detail::segmented_reduce_given(space, options, in, segments, out);
}
template <execution_space_argument ExecutionSpace, class In, class Segments, class Out, call_argument First>
void segmented_reduce(ExecutionSpace const& space, In const& in, Segments const& segments, Out const& out,
                      First const& first, call_options const& options = {}) {
  scan::detail::segmented_reduce_given(space, options, in, segments, out, first);
}
template <execution_space_argument ExecutionSpace, class In, class Segments, class Out, call_argument First,
          call_argument Second>
void segmented_reduce(ExecutionSpace const& space, In const& in, Segments const& segments, Out const& out,
                      First const& first, Second const& second, call_options const& options = {}) {
  scan::detail::segmented_reduce_given(space, options, in, segments, out, first, second);
}

UPSWEEP_WITHOUT_SPACE(segmented_reduce)

}  // namespace upsweep
