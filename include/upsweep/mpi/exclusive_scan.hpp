// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/into_and_from.hpp>
#include <upsweep/mpi/detail/agree_and_scan/scan_call.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>

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
template <execution_space_argument ExecutionSpace, class In, class Out, class Engine = engine::automatic>
void exclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                    basic_scan_options<Engine> const& options = {}) {
  detail::scan_call<false>(comm, space, local_in, local_out, options, "mpi::exclusive_scan");
}

/// The same with any of three arguments behind the output, in this order: `mpi::exclusive_scan(comm, space, in, out,
/// into{total}, init, monoid)`. With init 10, 4 3 | 7 9 give 10 14 | 17 24, and both ranks get the total 33.
///   into{total}  the combination of init and the elements of all ranks, on all ranks: a variable, or a View of rank 0,
///                of the output's value type, as in upsweep::exclusive_scan. On a rank that throws, a variable stays.
///   init         stands before the first element of rank 0: a value, the same on all ranks, or from{view}, a View of
///                rank 0 that is read on rank 0 alone.
///   monoid       the operation; plus<> where it is left out.
/// Cost: with a total the last rank reads its elements twice, too; the messages are the same. From 4096 ranks on an
/// MPI_Allreduce more.
/// Sync: a View that gives init is waited for.
/// Throws: precondition_error, too, for a number that is none of the monoid's value_type, or differs between ranks, and
/// where some ranks ask for a total or give init, and others do not.
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First,
          class Engine = engine::automatic>
void exclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                    First const& first, basic_scan_options<Engine> const& options = {}) {
  detail::scan_call<false>(comm, space, local_in, local_out, options, "mpi::exclusive_scan", first);
}
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First, scan_argument Second,
          class Engine = engine::automatic>
void exclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                    First const& first, Second const& second, basic_scan_options<Engine> const& options = {}) {
  detail::scan_call<false>(comm, space, local_in, local_out, options, "mpi::exclusive_scan", first, second);
}
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First, scan_argument Second,
          scan_argument Third, class Engine = engine::automatic>
void exclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                    First const& first, Second const& second, Third const& third,
                    basic_scan_options<Engine> const& options = {}) {
  detail::scan_call<false>(comm, space, local_in, local_out, options, "mpi::exclusive_scan", first, second, third);
}

UPSWEEP_WITHOUT_COMMUNICATOR(exclusive_scan)

}  // namespace upsweep::mpi
