// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/agree_and_scan/scan_call.hpp>

namespace upsweep::mpi {

/// Exclusive scan over the elements of all ranks, in rank order: rank 0 with 4 3 and rank 1 with 7 9 get 0 4 and 7 14.
///
/// Pre: all ranks call it, with the same types and monoid; a rank may have no elements. local_in is a View of rank 1 or
/// a functor of the index, with as many elements as local_out. Parameters of the monoid are compared by its bytes,
/// where it has no padding and no floating point, or by its member `std::uint64_t fingerprint() const`, which a monoid
/// with pointers needs.
/// Cost: 3 n reads (2 n on the last rank, whose total nobody needs; so one rank alone does not reduce), n writes, one
/// MPI_Allgather of 64 bytes a rank (two and an agreement for states above 48 bytes), one MPI_Allreduce of 24 bytes.
/// From 4096 ranks on, for monoids that are exactly associative, an MPI_Allreduce and an MPI_Exscan for the gather.
/// Order: operands (left, right); rank prefixes are the strict left fold of rank totals: the same bits in each run on
/// the same number of ranks.
/// Sync: collective; waits for the reduction. With a workspace the local scan is asynchronous.
/// Throws: on all ranks alike, local_out being undefined then: precondition_error (extents, overlap, workspace of
/// another instance, ranks that disagree on types or on parameters of the monoid), out_of_memory_error;
/// communication_error.
/// Source: *Prefix sums on GPUs*, two-level scan, with ranks as blocks.
template <class ExecutionSpace, class In, class Out, monoid_argument Monoid = plus<>, class Engine = engine::automatic>
void exclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                    Monoid const& monoid = {}, basic_scan_options<Engine> const& options = {}) {
  detail::scan_call<false>(comm, space, local_in, local_out, monoid, options, "mpi::exclusive_scan");
}

}  // namespace upsweep::mpi
