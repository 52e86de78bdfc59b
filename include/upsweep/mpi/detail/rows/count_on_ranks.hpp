// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/agree_and_scan/gather_states.hpp>
#include <upsweep/mpi/rank_count.hpp>

#include <cstddef>

namespace upsweep::mpi::detail {

/// Sums n counts of each rank, in the order of ranks. Throws overflow_error, on all ranks alike.
void sum_counts(gathered_states const& all, communicator const& comm, std::size_t n, rank_count* sums,
                char const* function);

/// Runs local(), which returns an array of N counts and communicates nothing, on every rank, and sums them. All ranks
/// throw what it threw on one. One gather.
template <std::size_t N, class Local>
Kokkos::Array<rank_count, N> count_on_ranks(communicator const& comm, internal::fingerprint const& arguments,
                                            char const* function, Local const& local) {
  failure failed;
  Kokkos::Array<std::size_t, N> mine{};
  try {
    mine = local();
  } catch (...) {
    failed = current_failure();
  }
  auto const all = gather_states(comm, failed, arguments, mine.data(), N * sizeof(std::size_t), function, "types");
  Kokkos::Array<rank_count, N> sums{};
  sum_counts(all, comm, N, sums.data(), function);
  return sums;
}

/// What must be the same on all ranks of a call that moves elements of one View to another.
template <class In, class Out>
internal::fingerprint moved_types(char const* function) {
  internal::fingerprint arguments;
  arguments.text(function)
      .template type<typename In::non_const_value_type>()
      .template type<typename Out::non_const_value_type>();
  return arguments;
}

}  // namespace upsweep::mpi::detail
