// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/scan/detail/calls/segmented_call.hpp>
#include <upsweep/scan/segments.hpp>

namespace upsweep {

/// An inclusive scan of every segment. Segments are given by head flags or by offsets, each with its mark:
///   segmented_inclusive_scan(space, in, head_flags{flags}, out);         1 2 3 4 with flags 1 0 1 0 gives 1 3 3 7
///   segmented_inclusive_scan(space, in, segment_offsets{offsets}, out);  1 2 3 4 with 0 2 2 4 gives 1 3 3 7; the
///                                                                        middle segment is empty
/// The monoid is plus<> where none stands behind out.
///
/// Pre: in and flags have as many elements as out. Offsets start with 0, never decrease, and end with the number of
///   elements.
/// Cost with flags: as inclusive_scan on the engine of the options, with states of {value, flag} and n reads of flags
///   for each read of in. With the default engine: GPUs with warps read elements and flags once, in 1 launch, with 128
///   bytes of workspace per tile of 16 KB or more (but as pairs, where values are not 4, 8 or 16 bytes long, or the
///   monoid's state is not as long as they). On CPUs an element and its flag are read once where segments are much
///   shorter than tiles of 256 KB of values, and up to twice, the second time from a cache, where they are longer.
/// Cost with offsets, by backend. GPUs, short inputs: with the default engine GPUs with warps scan up to 16 MB of
///   values in 1 launch, where segments have four elements or more on average (but not where values go as pairs): warps
///   search the offsets, which are read twice. GPUs, else: n/8 bytes of workspace, written once and read instead of
///   flags; 2 launches more. CPUs: the offsets are read twice, without memory and launches for them; other engines as
///   on GPUs.
/// Order: operands (left, right); association as the engine's: the same bits in each run.
/// Sync: asynchronous with a workspace; without one it waits for the instance.
/// Aliasing: in and out may be the same range; flags or offsets and out may not overlap.
/// Throws: precondition_error (extents, overlap, workspace of another instance), out_of_memory_error. For a wrong
///   offset, found on the device: without a workspace precondition_error naming the first; with one, workspace::check
///   does, and the results are those of some other segments.
/// Source: G. E. Blelloch, *Prefix sums and their applications* (segmented scans).
template <execution_space_argument ExecutionSpace, class In, class Segments, class Out,
          class Engine = engine::automatic>
void segmented_inclusive_scan(ExecutionSpace const& space, In const& in, Segments const& segments, Out const& out,
                              basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_segments_and_scan<true>(space, in, segments, out, options, "segmented_inclusive_scan");
}
template <execution_space_argument ExecutionSpace, class In, class Segments, class Out, scan_argument Monoid,
          class Engine = engine::automatic>
void segmented_inclusive_scan(ExecutionSpace const& space, In const& in, Segments const& segments, Out const& out,
                              Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_segments_and_scan<true>(space, in, segments, out, options, "segmented_inclusive_scan", monoid);
}

/// The exclusive form, with the identity at every head: 1 2 3 4 with flags 1 0 1 0, or with offsets 0 2 2 4, gives 0 1
/// 0 3.
/// Cost: as the inclusive form; where values go as pairs with their flags, one read of flags more. The rest as there.
template <execution_space_argument ExecutionSpace, class In, class Segments, class Out,
          class Engine = engine::automatic>
void segmented_exclusive_scan(ExecutionSpace const& space, In const& in, Segments const& segments, Out const& out,
                              basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_segments_and_scan<false>(space, in, segments, out, options, "segmented_exclusive_scan");
}
template <execution_space_argument ExecutionSpace, class In, class Segments, class Out, scan_argument Monoid,
          class Engine = engine::automatic>
void segmented_exclusive_scan(ExecutionSpace const& space, In const& in, Segments const& segments, Out const& out,
                              Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_segments_and_scan<false>(space, in, segments, out, options, "segmented_exclusive_scan", monoid);
}

UPSWEEP_WITHOUT_SPACE(segmented_inclusive_scan)
UPSWEEP_WITHOUT_SPACE(segmented_exclusive_scan)

}  // namespace upsweep
