// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/agree_and_scan/exact_folds.hpp>
#include <upsweep/mpi/detail/agree_and_scan/gather_states.hpp>

#include <cstddef>
#include <cstring>

namespace upsweep::mpi::detail {

// How the states of ranks are combined. One MPI_Allgather agrees and brings all states, which each rank folds from left
// to right: a defined order for any monoid, and one collective call. Its cost grows with the number of ranks, in bytes
// and in additions. From `many_ranks` on, monoids for which grouping does not matter take an agreement and an
// MPI_Exscan or MPI_Allreduce instead, whose costs grow with its logarithm where MPI does them well.

/// By the model of docs/clusters.md the two cost the same on 3,700 ranks.
inline constexpr int many_ranks = 4096;

/// What combine_ranks() found. What was not asked for has no meaning.
template <class State>
struct combined_ranks {
  State below, all;
};

/// The states of the ranks, folded left to right, behind the identity.
template <class Monoid>
combined_ranks<typename Monoid::value_type> fold_states(gathered_states const& all, communicator const& comm,
                                                        which_ranks which, Monoid const& monoid) {
  combined_ranks<typename Monoid::value_type> result{monoid.identity(), monoid.identity()};
  auto& fold = result.all;
  for (int r = 0; r < comm.size(); ++r) {
    if (r == comm.rank()) result.below = fold;
    if (r == comm.rank() && which == which_ranks::below) break;
    typename Monoid::value_type next;
    std::memcpy(&next, all.first + static_cast<std::size_t>(r) * all.stride, sizeof(next));
    fold = monoid(fold, next);
  }
  return result;
}

/// The combination of the states of these ranks, in their order. All ranks throw where one failed or arguments differ,
/// which are called `what` then.
template <class Monoid>
combined_ranks<typename Monoid::value_type> combine_ranks(communicator const& comm, which_ranks which,
                                                          failure const& local, internal::fingerprint const& arguments,
                                                          Monoid const& monoid,
                                                          typename Monoid::value_type const& state,
                                                          char const* function, char const* what = monoid_arguments,
                                                          int many = many_ranks) {
  if constexpr (exactly_associative<Monoid>) {
    if (comm.size() >= many) {
      agree_on(comm, local.kind, local.message, arguments, function, what);
      mpi_operation<Monoid> const operation(comm, monoid);
      combined_ranks<typename Monoid::value_type> result{monoid.identity(), monoid.identity()};
      if (which != which_ranks::all) result.below = operation.combine(which_ranks::below, state, monoid.identity());
      if (which != which_ranks::below) result.all = operation.combine(which_ranks::all, state, monoid.identity());
      return result;
    }
  }
  return fold_states(gather_states(comm, local, arguments, &state, sizeof(state), function, what), comm, which, monoid);
}

}  // namespace upsweep::mpi::detail
