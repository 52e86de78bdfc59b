// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/calls/segmented_call.hpp>

#include <string>
#include <type_traits>

namespace upsweep {

/// Marks a View as segment offsets (CRS): segment s holds elements offsets(s) ... offsets(s+1)-1, and may be empty.
/// There is one offset more than segments; the first is 0, the last the number of elements.
template <class Offsets>
struct segment_offsets {
  static_assert(view_of_rank_1<Offsets> && std::is_integral_v<typename Offsets::value_type>,
                "upsweep::segment_offsets: offsets are a View of rank 1 of an integer type.");
  Offsets view;
  explicit segment_offsets(Offsets const& offsets) : view(offsets) {}
};

/// An inclusive scan that restarts where head_flags(i) is not 0: 1 2 3 4 with flags 1 0 1 0 gives 1 3 3 7.
///
/// Pre: head_flags, a View of rank 1 or a functor, of an integer type or bool, and in have as many elements as out; the
/// first element starts a segment whatever its flag says.
/// Cost: as inclusive_scan on the engine of the options, with states of {value, flag} and n reads of flags for each
/// read of in. With the default engine: GPUs with warps read elements and flags once, in 1 launch, with 128 bytes of
/// workspace per tile of 16 KB or more (but as pairs, where values are not 4, 8 or 16 bytes long, or the monoid's state
/// is not as long as they). On CPUs an element and its flag are read once where segments are much shorter than tiles of
/// 256 KB of values, and up to twice, the second time from a cache, where they are longer.
/// Order: operands (left, right); association as the engine's: the same bits in each run.
/// Sync: asynchronous with a workspace; without one it waits for the instance.
/// Aliasing: in and out may be the same range; head_flags and out may not overlap.
/// Throws: precondition_error (extents, overlap, workspace of another instance), out_of_memory_error.
/// Source: G. E. Blelloch, *Prefix sums and their applications* (segmented scans).
template <class ExecutionSpace, class In, sequence_argument Flags, class Out, monoid_argument Monoid = plus<>,
          class Engine = engine::automatic>
void segmented_inclusive_scan(ExecutionSpace const& space, In const& in, Flags const& head_flags, Out const& out,
                              Monoid const& monoid = {}, basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_flags_and_scan<true>(space, in, head_flags, out, monoid, options, "segmented_inclusive_scan");
}

/// The exclusive form, with the identity at every head: 1 2 3 4 with flags 1 0 1 0 gives 0 1 0 3.
/// Cost: as the inclusive form; where values go as pairs with their flags, one read of flags more. The rest as there.
template <class ExecutionSpace, class In, sequence_argument Flags, class Out, monoid_argument Monoid = plus<>,
          class Engine = engine::automatic>
void segmented_exclusive_scan(ExecutionSpace const& space, In const& in, Flags const& head_flags, Out const& out,
                              Monoid const& monoid = {}, basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_flags_and_scan<false>(space, in, head_flags, out, monoid, options, "segmented_exclusive_scan");
}

/// An inclusive scan of every segment: 1 2 3 4 with segment_offsets 0 2 2 4 gives 1 3 3 7; the middle segment is empty.
/// `segmented_inclusive_scan(space, in, segment_offsets{offsets}, out);`
///
/// Pre: the offsets start with 0, never decrease, and end with the number of elements.
/// Cost: as with flags, and by backend. GPUs, short inputs: with the default engine GPUs with warps scan up to 16 MB
///   of values in 1 launch, where segments have four elements or more on average (but not where values go as pairs):
///   warps search the offsets, which are read twice. GPUs, else: n/8 bytes of workspace, written once and read
///   instead of flags; 2 launches more. CPUs: the offsets are read twice, without memory and launches for them; other
///   engines as on GPUs.
/// Order, Sync: as with flags.
/// Aliasing: in and out may be the same range; offsets and out may not overlap.
/// Throws: precondition_error for arguments as with flags. For a wrong offset, found on the device: without a workspace
/// precondition_error naming the first; with one, workspace::check does, and the results are those of some
/// other segments.
template <class ExecutionSpace, class In, class Offsets, class Out, monoid_argument Monoid = plus<>,
          class Engine = engine::automatic>
void segmented_inclusive_scan(ExecutionSpace const& space, In const& in, segment_offsets<Offsets> const& offsets,
                              Out const& out, Monoid const& monoid = {},
                              basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_offsets_and_scan<true>(space, in, offsets.view, out, monoid, options, "segmented_inclusive_scan");
}

/// The exclusive form: 1 2 3 4 with segment_offsets 0 2 2 4 gives 0 1 0 3. The rest as the inclusive form.
template <class ExecutionSpace, class In, class Offsets, class Out, monoid_argument Monoid = plus<>,
          class Engine = engine::automatic>
void segmented_exclusive_scan(ExecutionSpace const& space, In const& in, segment_offsets<Offsets> const& offsets,
                              Out const& out, Monoid const& monoid = {},
                              basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_offsets_and_scan<false>(space, in, offsets.view, out, monoid, options,
                                              "segmented_exclusive_scan");
}

}  // namespace upsweep
