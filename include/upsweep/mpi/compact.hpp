// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/detail/rows/count_on_ranks.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::mpi {

namespace detail {

/// Local indices to those among all ranks.
template <class Out>
struct shift_indices {
  Out out;
  typename Out::value_type first;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    out(i) = static_cast<typename Out::value_type>(out(i) + first);
  }
};

}  // namespace detail

/// upsweep::compact of the elements of all ranks: copies the elements of this rank that a predicate holds for to the
/// front of local_out, in their order, and returns how many, behind how many of other ranks, of how many: element k of
/// local_out is element offset + k of the compacted whole. The even ones of 3 8 4 | 7 2 are 8 4 | 2, with {2, 0, 3} and
/// {1, 2, 3}. Elements stay on their rank; redistribute_evenly() of local_out's first `count` ones divides them.
///
/// Pre: all ranks call it, with the same types; a rank may have no elements. The rest as upsweep::compact.
/// Cost: as upsweep::compact, and one MPI_Allgather of 64 bytes a rank.
/// Order: stable, over the ranks, too.
/// Sync: collective; waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: on all ranks alike what upsweep::compact threw on one (overflow_error where local_out is too short there),
/// and precondition_error where types differ; communication_error. local_out is undefined then.
template <execution_space_argument ExecutionSpace, class In, class Out, functor_argument Predicate>
rank_count compact(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                   Predicate const& predicate, call_options const& options = {}) {
  static constexpr char const* function = "mpi::compact";
  return detail::count_on_ranks<1>(comm, detail::moved_types<In, Out>(function), function, [&] {
    return Kokkos::Array<std::size_t, 1>{upsweep::compact(space, local_in, local_out, predicate, options)};
  })[0];
}

/// The same by flags: `mpi::compact(comm, space, in, flagged{flags}, out)`.
template <execution_space_argument ExecutionSpace, class In, class Flags, view_of_rank_1 Out>
rank_count compact(communicator const& comm, ExecutionSpace const& space, In const& local_in,
                   flagged<Flags> const& flags, Out const& local_out, call_options const& options = {}) {
  static constexpr char const* function = "mpi::compact";
  return detail::count_on_ranks<1>(comm, detail::moved_types<In, Out>(function), function, [&] {
    return Kokkos::Array<std::size_t, 1>{upsweep::compact(space, local_in, flags, local_out, options)};
  })[0];
}

/// The indices that a predicate holds for, numbered over all ranks: rank 0 has 0 ... n - 1, rank 1 goes on. Ranks with
/// n = 3 and n = 2 whose predicates hold for 1 2 | 0 get 1 2 | 3. The predicate is called with indices of its own rank,
/// from 0.
///
/// Pre: all ranks call it; n may differ. The rest as upsweep::compact_indices.
/// Cost: as upsweep::compact_indices, one read and write of each index more, one MPI_Allgather of 64 bytes and an
/// MPI_Allreduce of 24.
/// Order, Sync: as mpi::compact.
/// Throws: as mpi::compact; overflow_error where the largest index of all does not fit in local_out's type.
template <execution_space_argument ExecutionSpace, class Out, functor_argument Predicate>
rank_count compact_indices(communicator const& comm, ExecutionSpace const& space, std::size_t n, Out const& local_out,
                           Predicate const& predicate, call_options const& options = {}) {
  static constexpr char const* function = "mpi::compact_indices";
  auto const counts = detail::count_on_ranks<2>(comm, detail::moved_types<Out, Out>(function), function, [&] {
    return Kokkos::Array<std::size_t, 2>{upsweep::compact_indices(space, n, local_out, predicate, options), n};
  });
  using index = typename Out::value_type;
  if (counts[1].total > 0) internal::narrow<index>(counts[1].total - 1, function, "the largest index");
  all_or_none(comm, [&] {
    if (counts[0].count == 0 || counts[1].offset == 0) return;
    upsweep::internal::for_each_index(
        space, [&] { return internal::label(function, "shift", options.label); }, counts[0].count,
        detail::shift_indices<Out>{local_out, static_cast<index>(counts[1].offset)});
    space.fence(internal::label(function, "fence"));
  });
  return counts[0];
}

UPSWEEP_WITHOUT_COMMUNICATOR(compact)
UPSWEEP_WITHOUT_COMMUNICATOR(compact_indices)

}  // namespace upsweep::mpi
