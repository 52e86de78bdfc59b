// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/detail/rows/count_on_ranks.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>

namespace upsweep::mpi {

/// upsweep::partition on each rank: puts the elements of this rank that a predicate holds for in front of its others,
/// both in their order; returns of both parts how many this rank has, how many the ranks below it have, and how many
/// there are. So chosen element k is element [0].offset + k of a partition of the whole, and other element k is element
/// [0].total + [1].offset + k. By evenness 3 8 4 | 7 2 becomes 8 4 3 | 2 7, with {2, 0, 3}, {1, 0, 2} and
/// {1, 2, 3}, {1, 1, 2}. Elements stay on their rank; redistribute_evenly() of a part divides it among ranks.
///
/// Pre: all ranks call it, with the same types; a rank may have no elements. The rest as upsweep::partition.
/// Cost: as upsweep::partition, and one MPI_Allgather of 64 bytes a rank.
/// Order: stable, over the ranks, too.
/// Sync: collective; waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: on all ranks alike what upsweep::partition threw on one, and precondition_error where types differ;
/// communication_error. local_out is undefined then.
template <execution_space_argument ExecutionSpace, class In, class Out, functor_argument Predicate>
Kokkos::Array<rank_count, 2> partition(communicator const& comm, ExecutionSpace const& space, In const& local_in,
                                       Out const& local_out, Predicate const& predicate,
                                       call_options const& options = {}) {
  static constexpr char const* function = "mpi::partition";
  return detail::count_on_ranks<2>(comm, detail::moved_types<In, Out>(function), function,
                                   [&] { return upsweep::partition(space, local_in, local_out, predicate, options); });
}

/// The same by flags: `mpi::partition(comm, space, in, flagged{flags}, out)`.
template <execution_space_argument ExecutionSpace, class In, class Flags, view_of_rank_1 Out>
Kokkos::Array<rank_count, 2> partition(communicator const& comm, ExecutionSpace const& space, In const& local_in,
                                       flagged<Flags> const& flags, Out const& local_out,
                                       call_options const& options = {}) {
  static constexpr char const* function = "mpi::partition";
  return detail::count_on_ranks<2>(comm, detail::moved_types<In, Out>(function), function,
                                   [&] { return upsweep::partition(space, local_in, flags, local_out, options); });
}

/// Three parts, as upsweep::partition_three_way: elements that `first` holds for, others that `second` holds for, and
/// the rest.
/// Everything else as mpi::partition.
template <execution_space_argument ExecutionSpace, class In, class Out, functor_argument First, functor_argument Second>
Kokkos::Array<rank_count, 3> partition_three_way(communicator const& comm, ExecutionSpace const& space,
                                                 In const& local_in, Out const& local_out, First const& first,
                                                 Second const& second, call_options const& options = {}) {
  static constexpr char const* function = "mpi::partition_three_way";
  return detail::count_on_ranks<3>(comm, detail::moved_types<In, Out>(function), function, [&] {
    return upsweep::partition_three_way(space, local_in, local_out, first, second, options);
  });
}

UPSWEEP_WITHOUT_COMMUNICATOR(partition)
UPSWEEP_WITHOUT_COMMUNICATOR(partition_three_way)

}  // namespace upsweep::mpi
