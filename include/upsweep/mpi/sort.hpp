// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/mpi/detail/sort_call.hpp>

namespace upsweep::mpi {

/// Sorts the keys of all ranks and divides them evenly, as redistribute_evenly does: rank r of P gets places
/// floor(r N / P) to floor((r + 1) N / P) - 1 of the N sorted keys. keys becomes a new View with those of this rank;
/// returns where they begin among all, and how many all are. 5 1 | 3 | 2 4 6 become 1 2 | 3 4 | 5 6:
/// `auto const share = mpi::sort(comm, space, keys);`
///
/// Pre: all ranks call it, with the same types, order and bits; a rank may have no keys. keys: a managed View of rank
/// 1, not strided, of what upsweep::sort takes.
/// Cost: upsweep::sort of the keys of this rank; then each key is sent once, and what came is merged in log2(P) rounds
/// of a read and a write each. Where these are more than the bytes of the bits that count, a read of the keys; then
/// they are sorted here by the first eight bits in which keys of any rank differ (fewer from 258 ranks on), and by the
/// bits below where they agree with the key at a border of shares so far, and all again when received. For each eight
/// bits in which keys differ log2(n) reads for each of 256 candidates and rank, and an MPI_Allreduce of 2 KiB a rank.
/// Two MPI_Allgather of 64 bytes, MPI_Exscan of 8 bytes a rank, and two agreements. Shares of 128 MiB or more travel in
/// up to eight steps of 64 MiB, in ascending order of keys, and the keys of a step are merged while those of the next
/// one travel; an MPI_Alltoall of 8 bytes a rank and step, and in each step a message to each rank. One rank alone
/// calls upsweep::sort.
/// Memory: the new View, a workspace for upsweep::sort of as many keys as before and for as many as behind, which share
/// it, and what redistribute_evenly takes.
/// Order: stable: equal keys are in the order of ranks, then in that of their rank. The same result on every backend.
/// Sync: collective; waits for the instance.
/// Throws: on all ranks alike, each having its own keys, in another order perhaps: precondition_error (bits, ranks that
/// differ), out_of_memory_error; communication_error.
/// Source: splitters of exact ranks, found digit by digit: D. R. Cheng et al., *A novel parallel sorting algorithm for
/// contemporary architectures* (2006), which bisects sorted keys instead; merges: S. Odeh et al., *Merge path*
/// (2012).
template <class ExecutionSpace, view_of_rank_1 Keys>
rank_offset sort(communicator const& comm, ExecutionSpace const& space, Keys& keys, sort_options const& options = {}) {
  return detail::sort_call(comm, space, options, "mpi::sort", detail::sort_step_bytes, keys);
}

/// The same with a value for each key, which moves with it: keys 3 1 | 3 and values a b | c become 1 | 3 3 and b | a c.
///
/// Pre: values, a managed View of rank 1, as long as keys, of any trivially copyable type.
/// Cost: as above, with the values sorted and sent, too, behind the keys of their step.
/// Throws: precondition_error, too, for extents that differ and an overlap.
/// Everything else as above.
template <class ExecutionSpace, view_of_rank_1 Keys, view_of_rank_1 Values>
rank_offset sort_by_key(communicator const& comm, ExecutionSpace const& space, Keys& keys, Values& values,
                        sort_options const& options = {}) {
  return detail::sort_call(comm, space, options, "mpi::sort_by_key", detail::sort_step_bytes, keys, values);
}

}  // namespace upsweep::mpi
