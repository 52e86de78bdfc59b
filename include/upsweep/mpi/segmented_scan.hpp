// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/mpi/detail/agree_and_scan/segmented_call.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/scan/segments.hpp>

namespace upsweep::mpi {

/// An inclusive scan over the elements of all ranks, in rank order, that restarts where a flag is not 0. A segment
/// goes on over the border of ranks, and over ranks without a flag: 1 2 3 | 4 | 5 6 with the flags 1 0 1 | 0 | 0 1 give
/// 1 3 3 | 7 | 12 6: `mpi::segmented_inclusive_scan(comm, space, in, head_flags{flags}, out, max<>{});`
///
/// Pre: all ranks call it, with the same types and monoid; a rank may have no elements. The first element of all starts
/// a segment whatever its flag says; the first one of another rank only by its flag. Flags and elements as in
/// upsweep::segmented_inclusive_scan; parameters of the monoid as in mpi::exclusive_scan.
/// Cost: reads of the flags up to the first and from the last that is not 0 (of at least 65536 each, two reductions);
/// reads of the elements from the last flag on (on all ranks but the last); one upsweep::inclusive_scan of the elements
/// before the first flag, one segmented scan of the others. One rank alone pays for the latter only. One MPI_Allgather
/// of 64 bytes a rank (two and an agreement for states above 40 bytes), one MPI_Allreduce of 24 bytes.
/// Order: operands (left, right): the same bits in each run on the same number of ranks.
/// Sync: collective; waits for the reductions. With a workspace the local scans are asynchronous.
/// Aliasing: in and out may be the same range; flags and out may not overlap.
/// Throws: on all ranks alike, local_out being undefined then: precondition_error (extents, overlap, workspace of
/// another instance, ranks that disagree), out_of_memory_error; communication_error.
/// Source: segmented scans as scans of pairs: G. E. Blelloch, *Prefix sums and their applications*.
template <execution_space_argument ExecutionSpace, class In, class Flags, class Out, monoid_argument Monoid,
          class Engine = engine::automatic>
void segmented_inclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in,
                              head_flags<Flags> const& flags, Out const& local_out, Monoid const& monoid,
                              basic_scan_options<Engine> const& options = {}) {
  detail::segmented_call<true>(comm, space, local_in, detail::flag_marks<Flags>{flags.flags}, local_out, monoid,
                               options, "mpi::segmented_inclusive_scan");
}
template <execution_space_argument ExecutionSpace, class In, class Flags, class Out, class Engine = engine::automatic>
void segmented_inclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in,
                              head_flags<Flags> const& flags, Out const& local_out,
                              basic_scan_options<Engine> const& options = {}) {
  mpi::segmented_inclusive_scan(comm, space, local_in, flags, local_out, plus<>{}, options);
}

/// The exclusive form, with the identity at every head: 1 2 3 | 4 | 5 6 with the flags 1 0 1 | 0 | 0 1 give
/// 0 1 0 | 3 | 7 0. The rest as there.
template <execution_space_argument ExecutionSpace, class In, class Flags, class Out, monoid_argument Monoid,
          class Engine = engine::automatic>
void segmented_exclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in,
                              head_flags<Flags> const& flags, Out const& local_out, Monoid const& monoid,
                              basic_scan_options<Engine> const& options = {}) {
  detail::segmented_call<false>(comm, space, local_in, detail::flag_marks<Flags>{flags.flags}, local_out, monoid,
                                options, "mpi::segmented_exclusive_scan");
}
template <execution_space_argument ExecutionSpace, class In, class Flags, class Out, class Engine = engine::automatic>
void segmented_exclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in,
                              head_flags<Flags> const& flags, Out const& local_out,
                              basic_scan_options<Engine> const& options = {}) {
  mpi::segmented_exclusive_scan(comm, space, local_in, flags, local_out, plus<>{}, options);
}

UPSWEEP_WITHOUT_COMMUNICATOR(segmented_inclusive_scan)
UPSWEEP_WITHOUT_COMMUNICATOR(segmented_exclusive_scan)

}  // namespace upsweep::mpi
