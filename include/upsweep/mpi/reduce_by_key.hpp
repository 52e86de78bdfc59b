// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/detail/rows/reduce_runs_call.hpp>

namespace upsweep::mpi {

/// upsweep::reduce_by_key over the elements of all ranks, in rank order: combines the values of each run of equal
/// neighbouring keys, also of one that goes on over borders of ranks; key and result are on the rank where the run
/// begins. Returns how many runs this rank has, how many the ranks below it have, and how many there are: keys 5 5 | 5
/// 2 | 2 with values 1 2 | 3 4 | 5 give 5 | 2 | and 6 | 9 |, with {1, 0, 2}, {1, 1, 2} and {0, 2, 2}.
///
/// Pre: all ranks call it, with the same types and monoid; a rank may have no elements. equal(key before, key) is alike
/// on all ranks, and may be called on the host, too. Keys and the monoid's value_type are trivially copyable.
/// Parameters of the monoid as in mpi::exclusive_scan; the rest as upsweep::reduce_by_key.
/// Cost: as upsweep::reduce_by_key of the elements behind the run that goes on from ranks below. On more than one rank
/// also reads of the keys of the first run and of the last one (of at least 65536 each, two reductions), of the values
/// of the first run (not on rank 0) and of the last one (not on the last rank); two MPI_Allgather of 64 bytes a rank (a
/// third one and an agreement where the record of two states, two keys and their padding is above 48 bytes).
/// Order: operands (left, right), over the ranks, too: the same bits in each run on the same number of ranks.
/// Sync: collective; waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: on all ranks alike, the outputs being undefined then: what upsweep::reduce_by_key threw on one
/// (overflow_error where outputs are too short there); precondition_error where ranks disagree on types or on
/// parameters of the monoid; out_of_memory_error; communication_error.
/// Source: segmented scans as scans of pairs: G. E. Blelloch, *Prefix sums and their applications*.
template <execution_space_argument ExecutionSpace, view_of_rank_1 Keys, sequence_argument Values,
          view_of_rank_1 OutKeys, view_of_rank_1 OutValues, monoid_argument Monoid = plus<>,
          functor_argument Equal = equal_keys>
rank_count reduce_by_key(communicator const& comm, ExecutionSpace const& space, Keys const& local_keys,
                         Values const& local_values, OutKeys const& local_out_keys, OutValues const& local_out_values,
                         Monoid const& monoid = {}, Equal const& equal = {}, call_options const& options = {}) {
  return detail::reduce_runs_call(comm, space, detail::key_marks<Keys, Equal>{local_keys, equal}, local_values,
                                  local_out_keys, local_out_values, monoid, options);
}

/// The same with ==. Options follow the outputs, and the monoid is plus<>, or they follow the monoid.
template <execution_space_argument ExecutionSpace, view_of_rank_1 Keys, sequence_argument Values,
          view_of_rank_1 OutKeys, view_of_rank_1 OutValues>
rank_count reduce_by_key(communicator const& comm, ExecutionSpace const& space, Keys const& local_keys,
                         Values const& local_values, OutKeys const& local_out_keys, OutValues const& local_out_values,
                         call_options const& options) {
  return mpi::reduce_by_key(comm, space, local_keys, local_values, local_out_keys, local_out_values, plus<>{},
                            equal_keys{}, options);
}
template <execution_space_argument ExecutionSpace, view_of_rank_1 Keys, sequence_argument Values,
          view_of_rank_1 OutKeys, view_of_rank_1 OutValues, monoid_argument Monoid>
rank_count reduce_by_key(communicator const& comm, ExecutionSpace const& space, Keys const& local_keys,
                         Values const& local_values, OutKeys const& local_out_keys, OutValues const& local_out_values,
                         Monoid const& monoid, call_options const& options) {
  return mpi::reduce_by_key(comm, space, local_keys, local_values, local_out_keys, local_out_values, monoid,
                            equal_keys{}, options);
}

UPSWEEP_WITHOUT_COMMUNICATOR(reduce_by_key)

}  // namespace upsweep::mpi
