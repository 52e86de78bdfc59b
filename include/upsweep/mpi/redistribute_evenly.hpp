// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/detail/rows/redistribute_shares.hpp>
#include <upsweep/mpi/detail/rows/rows.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>

namespace upsweep::mpi {

/// Divides the rows of all ranks evenly, in their order: row i of N goes to the rank r of P with
/// floor(r N / P) <= i < floor((r + 1) N / P). Ranks with rows a, b c d e and none get a, b c and d e. The Views become
/// new ones with the rows of this rank; returns where these begin among all, and how many all are:
/// `auto const share = mpi::redistribute_evenly(comm, space, ids, positions);`
///
/// Pre: all ranks call it, with as many Views of the same types; Views of rank 1 or 2, managed, of trivially copyable
/// elements, with the same number of rows, which may be none.
/// Cost: one MPI_Allgather of 64 bytes a rank; that is all, and Views stay as they are, where all ranks have their
/// share. Else each View is sent from where it lies to where it will be (packed and unpacked, in memory for its rows,
/// where rows are not side by side or MPI does not know device memory), in one message to each rank whose share this
/// rank has rows of; one agreement a View and one more; memory for the new Views.
/// Order: rows keep their order. Deterministic.
/// Sync: collective; waits for the instance where rows move.
/// Throws: on all ranks alike, with all Views untouched: precondition_error (extents; ranks that disagree on number,
/// types or columns of the Views), out_of_memory_error; communication_error.
template <execution_space_argument ExecutionSpace, detail::view_of_rows First, detail::view_of_rows... Others>
rank_offset redistribute_evenly(communicator const& comm, ExecutionSpace const& space, First& first,
                                Others&... others) {
  return detail::redistribute_shares(comm, space, "mpi::redistribute_evenly", 1, first, others...);
}

/// The same with shares in proportion to a weight that each rank gives of itself, its speed for instance: ranks with
/// the weights 1, 0 and 2 get one third, nothing and two thirds. Shares are rounded down where they begin; weights
/// count as multiples of 2^-32 of the largest.
/// Throws: precondition_error, too, for weights that are negative, not finite, or 0 on all ranks.
template <execution_space_argument ExecutionSpace, detail::view_of_rows First, detail::view_of_rows... Others>
rank_offset redistribute_by_weight(communicator const& comm, ExecutionSpace const& space, double weight, First& first,
                                   Others&... others) {
  return detail::redistribute_shares(comm, space, "mpi::redistribute_by_weight", weight, first, others...);
}

UPSWEEP_WITHOUT_COMMUNICATOR(redistribute_evenly)
UPSWEEP_WITHOUT_COMMUNICATOR(redistribute_by_weight)

}  // namespace upsweep::mpi
