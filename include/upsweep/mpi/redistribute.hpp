// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/require.hpp>
#include <upsweep/mpi/detail/row_route.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

namespace upsweep::mpi {

namespace detail {

template <class View>
void require_rows(View const& view, std::size_t n, char const* function, std::size_t which) {
  internal::require(view.extent(0) == n, function,
                    "view " + std::to_string(which) + " (" + view.label() + ") has " + std::to_string(view.extent(0)) +
                        " rows, there are " + std::to_string(n) + " destinations");
}

}  // namespace detail

/// Row i of every View goes to rank destinations(i); the Views become new ones that hold the rows received:
/// `redistribute(comm, space, destinations, positions, ids);`
///
/// Pre: all ranks call it, with as many Views of the same types; Views of rank 1 or 2, managed, of trivially copyable
/// elements, with as many rows as destinations, a View of an integer type.
/// Cost: three passes over destinations, a sort of the rows that leave; each View read, sent, and written once; one
/// MPI_Alltoall of 8 bytes a rank, one message to each partner and View, one agreement a View and two more.
/// Order: by source rank, then in the source's order. Deterministic.
/// Sync: collective; waits for the instance.
/// Throws: on all ranks alike, with all Views untouched: precondition_error (a destination that is not a rank, extents,
/// ranks that disagree on number, types or columns of the Views), out_of_memory_error; communication_error.
template <class ExecutionSpace, view_of_rank_1 Destinations, detail::view_of_rows... Views>
void redistribute(communicator const& comm, ExecutionSpace const& space, Destinations const& destinations,
                  Views&... views) {
  static constexpr char const* function = "mpi::redistribute";
  internal::fingerprint arguments;
  arguments.text(function).value(sizeof...(Views));
  (detail::add_view(arguments, views), ...);
  detail::row_route<ExecutionSpace> route(comm, space, destinations, arguments, function, [&] {
    [[maybe_unused]] std::size_t which = 0;
    (detail::require_rows(views, destinations.extent(0), function, which++), ...);
  });
  // All memory is there before the first row moves.
  auto received = all_or_none(comm, [&] {
    std::tuple<Views...> result(detail::with_rows(space, views, route.received())...);
    std::apply([&](Views const&... to) { (route.reserve(space, to, route.leaving().size(), route.received()), ...); },
               result);
    return result;
  });
  auto const move = [&](auto const& from, auto const& to) {
    all_or_none(comm, [&] {
      route.pack(space, from);
      route.prepare(comm, space, route.leaving().offsets, route.arriving(), to);
    });
    route.transfer(comm, space, to);
  };
  std::apply([&](Views const&... to) { (move(views, to), ...); }, received);
  // The buffers, and the rows sent, are freed here.
  detail::fence_without_memory(space, "upsweep::redistribute");
  std::tie(views...) = std::move(received);
}

}  // namespace upsweep::mpi
