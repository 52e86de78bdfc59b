// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_memory.hpp>
#include <upsweep/mpi/detail/rows/bad_destination.hpp>
#include <upsweep/mpi/detail/rows/row_carrier.hpp>
#include <upsweep/mpi/detail/rows/rows.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>

#include <cstddef>

namespace upsweep::mpi {

namespace detail {

template <class ExecutionSpace, class Destinations, class... Views>
void redistribute_call(row_carrier<ExecutionSpace>& carrier, communicator const& comm, ExecutionSpace const& space,
                       Destinations const& destinations, Views&... views) {
  static constexpr char const* function = "mpi::redistribute";
  internal::fingerprint arguments;
  arguments.text(function).value(sizeof...(Views));
  (add_view(arguments, views), ...);
  auto const list = [&](leaving_rows<ExecutionSpace>& rows) {
    std::size_t const n = destinations.extent(0);
    [[maybe_unused]] std::size_t which = 0;
    (require_rows(views, which++, n, "destinations", function), ...);
    auto const bad = rows.find(space, n, destinations, comm.size(), comm.rank());
    if (bad < n) throw_bad_destination(space, destinations, bad, comm.size(), function);
  };
  carrier.move(comm, space, arguments, function, "the number, types and columns of the Views", list, views...);
  fence_without_memory(space, "upsweep::redistribute");
}

}  // namespace detail

/// Rows to their ranks, step after step, with memory that is kept: `redistribution<Space> r;`, then
/// `r.run(comm, space, destinations, positions, ids);` as often as wanted.
///
/// Rows that stay do not leave the device, and rows that leave go as one message to each partner, whatever the number
/// of Views. Results lie in memory of this object, which has two buffers for each View: one that the caller's View
/// shows, one for the next call. So once both are there and while counts stay within the head-room (an eighth),
/// a call takes no memory of device or host, except the names of kernels, which Kokkos copies.
/// Pre: one execution-space instance for all calls.
template <class ExecutionSpace>
class redistribution {
 public:
  /// Row i of every View goes to rank destinations(i); the Views become the rows that stay and those received. They
  /// have exactly so many rows, and share memory that has more: a LayoutLeft View of several columns has gaps between
  /// these. They are the caller's: no later call writes to memory that a View still shows, or a copy of one.
  ///
  /// Pre: all ranks call it, with as many Views of the same types; Views of rank 1 or 2, managed, of trivially copyable
  /// elements, with as many rows as destinations, a View of an integer type.
  /// Cost: two passes over destinations, on one rank one; a sort of the rows that leave; each View is read and written
  /// once, and not at all on a rank that no row leaves or reaches. One MPI_Alltoall of 40 bytes per rank, which carries
  /// counts and the agreement; an MPI_Allreduce of 24 bytes where memory of a rank may not suffice for all rows that
  /// leave the others; one message to each partner. Memory: each View twice, 8 bytes per row, and what travels.
  /// Order: by source rank, then in the source's order. Deterministic.
  /// Sync: collective; waits for the instance.
  /// Throws: on all ranks alike, with all Views untouched: precondition_error (a destination that is not a rank,
  /// extents, ranks that disagree on number, types or columns of the Views), out_of_memory_error; communication_error.
  /// After any of them but the last the object may be used again.
  template <view_of_rank_1 Destinations, detail::view_of_rows... Views>
  void run(communicator const& comm, ExecutionSpace const& space, Destinations const& destinations, Views&... views) {
    detail::redistribute_call(carrier_, comm, space, destinations, views...);
  }

 private:
  detail::row_carrier<ExecutionSpace> carrier_{detail::row_carrier<ExecutionSpace>::memory::with_headroom};
};

}  // namespace upsweep::mpi
