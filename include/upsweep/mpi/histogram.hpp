// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/mpi/detail/agree_and_scan/sum_bins.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/scan/internal/scan_counts.hpp>

#include <cstddef>
#include <string>

namespace upsweep::mpi {

namespace detail {

/// Counts on each rank by count(options), sums over ranks, and offsets of the sums.
template <class ExecutionSpace, class Counts, class Offsets, class Count>
void histogram_with_offsets(communicator const& comm, ExecutionSpace const& space, Counts const& counts,
                            Offsets const& offsets, call_options const& options, Count const& count) {
  static constexpr char const* function = "mpi::histogram";
  sum_bins(
      comm, space, counts, function, options,
      [&](call_options const& local) {
        internal::require(offsets.extent(0) == counts.extent(0) + 1, function, [&] {
          return "counts has " + std::to_string(counts.extent(0)) + " bins, offsets has " +
                 std::to_string(offsets.extent(0)) + " entries; it needs one more";
        });
        internal::require_apart(counts, offsets, function, "counts", "offsets");
        count(local);
      },
      [&](call_options const& local) {
        upsweep::internal::scan_counts(
            space, counts, offsets, scan_options{.label = local.label}, *local.workspace,
            [&](workspace& w) { return upsweep::internal::access::errors(w, space); }, function);
        upsweep::internal::throw_data_error(upsweep::internal::access::take_error(*local.workspace, space), function);
      });
}

}  // namespace detail

/// How often every bin occurs in the elements of all ranks, on every rank: of the bins 1 3 | 1 0 1, counts with four
/// entries become 1 3 0 1 on both.
///
/// Pre: all ranks call it, with as many bins, of the same types; a rank may have no elements. The rest as
/// upsweep::histogram.
/// Cost: as upsweep::histogram; two copies of the bins, 8 bytes each, between device and host, an MPI_Allreduce of as
/// many bytes, and two of 24 bytes. Workspace, and memory of the host: 8 bytes per bin.
/// Order: exact.
/// Sync: collective; waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: on all ranks alike, counts being undefined then: what upsweep::histogram threw on one; overflow_error where
/// a sum does not fit in the counts' type; precondition_error where types of counts or numbers of bins differ,
/// out_of_memory_error; communication_error.
template <execution_space_argument ExecutionSpace, view_of_rank_1 In, view_of_rank_1 Counts>
void histogram(communicator const& comm, ExecutionSpace const& space, In const& local_in, Counts const& counts,
               call_options const& options = {}) {
  detail::sum_bins(
      comm, space, counts, "mpi::histogram", options,
      [&](call_options const& local) { upsweep::histogram(space, local_in, counts, local); },
      [](call_options const&) {});
}

/// The same for bins that are computed: bin_of(std::size_t i) for every i from 0 to n - 1 of this rank; n may differ.
template <execution_space_argument ExecutionSpace, class BinOf, view_of_rank_1 Counts>
  requires(!Kokkos::is_view_v<BinOf>)
void histogram(communicator const& comm, ExecutionSpace const& space, std::size_t n, BinOf const& bin_of,
               Counts const& counts, call_options const& options = {}) {
  detail::sum_bins(
      comm, space, counts, "mpi::histogram", options,
      [&](call_options const& local) { upsweep::histogram(space, n, bin_of, counts, local); },
      [](call_options const&) {});
}

/// The same with offsets of the bins: offsets(b) = counts(0) + ... + counts(b-1) of all ranks, one entry more than
/// bins: counts 1 3 0 1 have offsets 0 1 4 4 5.
/// Cost, Throws: also as upsweep::counts_to_offsets without a workspace.
template <execution_space_argument ExecutionSpace, view_of_rank_1 In, view_of_rank_1 Counts, view_of_rank_1 Offsets>
void histogram(communicator const& comm, ExecutionSpace const& space, In const& local_in, Counts const& counts,
               Offsets const& offsets, call_options const& options = {}) {
  detail::histogram_with_offsets(comm, space, counts, offsets, options, [&](call_options const& local) {
    internal::require_apart(local_in, offsets, "mpi::histogram", "input", "offsets");
    upsweep::histogram(space, local_in, counts, local);
  });
}
template <execution_space_argument ExecutionSpace, class BinOf, view_of_rank_1 Counts, view_of_rank_1 Offsets>
  requires(!Kokkos::is_view_v<BinOf>)
void histogram(communicator const& comm, ExecutionSpace const& space, std::size_t n, BinOf const& bin_of,
               Counts const& counts, Offsets const& offsets, call_options const& options = {}) {
  detail::histogram_with_offsets(comm, space, counts, offsets, options, [&](call_options const& local) {
    upsweep::histogram(space, n, bin_of, counts, local);
  });
}

UPSWEEP_WITHOUT_COMMUNICATOR(histogram)

}  // namespace upsweep::mpi
