// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/detail/sort/sort_call.hpp>

namespace upsweep::mpi {

/// Sorts the keys of all ranks and divides them evenly, as redistribute_evenly does: rank r of P gets places
/// floor(r N / P) to floor((r + 1) N / P) - 1 of the N sorted keys. keys becomes a View with those of this rank, a new
/// one or the same (Memory); returns where they begin among all, and how many all are. 5 1 | 3 | 2 4 6 become
/// 1 2 | 3 4 | 5 6:
/// `auto const share = mpi::sort(comm, space, keys);`
///
/// Pre: all ranks call it, with the same types, order and bits; a rank may have no keys. keys: a managed View of rank
/// 1, not strided, of what upsweep::sort takes.
/// Cost: on up to 2^b ranks, b being the bytes of the bits that count: upsweep::sort of the keys of this rank, each key
/// sent once, log2(P) reads and writes of the keys received. On more ranks see docs/mpi.md. For each eight bits in
/// which keys differ an MPI_Allreduce of 2 KiB a rank; two MPI_Allgather of 64 bytes, and two agreements. Shares of
/// 128 MiB or more travel in up to eight steps: what came is merged while the rest travels.
/// Memory: on up to 2^b ranks, a rank that gets as many keys as it had keeps its View, and sorts in a workspace that
/// holds twice as many. Else a new View, and a workspace that holds as many keys as before, or as received.
/// Order: stable: equal keys are in the order of ranks, then in that of their rank. The same result on every backend.
/// Sync: collective; waits for the instance.
/// Throws: on all ranks alike, each having its own keys, in another order perhaps: precondition_error (bits, ranks that
/// differ), overflow_error, out_of_memory_error; communication_error, after which keys are undefined.
/// Source: splitters of exact ranks, found digit by digit: D. R. Cheng et al., *A novel parallel sorting algorithm for
/// contemporary architectures* (2006), which bisects sorted keys instead; merges: S. Odeh et al., *Merge path*
/// (2012).
template <execution_space_argument ExecutionSpace, view_of_rank_1 Keys>
rank_offset sort(communicator const& comm, ExecutionSpace const& space, Keys& keys, sort_options const& options = {}) {
  return detail::sort_call(comm, space, options, "mpi::sort", detail::sort_step_bytes, keys);
}

/// The same with a value for each key, which moves with it: keys 3 1 | 3 and values a b | c become 1 | 3 3 and b | a c.
///
/// Pre: values, a managed View of rank 1, as long as keys, of any trivially copyable type.
/// Cost: as above, with the values sorted and sent, too, behind the keys of their step.
/// Throws: precondition_error, too, for extents that differ and an overlap.
/// Everything else as above.
template <execution_space_argument ExecutionSpace, view_of_rank_1 Keys, view_of_rank_1 Values>
rank_offset sort_by_key(communicator const& comm, ExecutionSpace const& space, Keys& keys, Values& values,
                        sort_options const& options = {}) {
  return detail::sort_call(comm, space, options, "mpi::sort_by_key", detail::sort_step_bytes, keys, values);
}

UPSWEEP_WITHOUT_COMMUNICATOR(sort)
UPSWEEP_WITHOUT_COMMUNICATOR(sort_by_key)

}  // namespace upsweep::mpi
