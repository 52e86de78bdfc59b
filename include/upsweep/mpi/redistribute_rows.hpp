// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/detail/rows/row_route.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace upsweep::mpi {

namespace detail {

/// Length of the row that is packed at place s; signed, so that offsets that run backwards are found.
template <class Rows, class Offsets>
struct packed_length {
  Rows rows;
  Offsets offsets;
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t s) const {
    std::size_t const row = rows(s);
    return static_cast<std::int64_t>(offsets(row + 1)) - static_cast<std::int64_t>(offsets(row));
  }
};

/// `lanes` threads copy one row: on GPUs neighbouring threads then touch neighbouring elements.
template <class View, class Rows, class Offsets, class Starts>
struct pack_long_rows {
  View values;
  Rows rows;
  Offsets offsets;
  Starts starts;
  typename View::non_const_value_type* out;
  std::size_t columns, lanes;
  KOKKOS_FUNCTION void operator()(std::size_t e) const {
    std::size_t const s = e / lanes;
    std::size_t const from = static_cast<std::size_t>(offsets(rows(s)));
    std::size_t const to = starts(s) * columns;
    std::size_t const length = (starts(s + 1) - starts(s)) * columns;
    for (std::size_t k = e % lanes; k < length; k += lanes)
      out[to + k] = element(values, from + k / columns, k % columns);
  }
};

/// Lengths of rows from their offsets.
template <class Starts>
struct difference {
  Starts starts;
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t s) const { return starts(s + 1) - starts(s); }
};
template <class Functor, class Out>
struct store_values {
  Functor functor;
  Out out;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { out(i) = functor(i); }
};

template <class ExecutionSpace, class Values, class Rows, class Offsets, class Starts>
void pack_values(ExecutionSpace const& space, Values const& values, Rows const& rows, Offsets const& offsets,
                 Starts const& starts, std::byte* to) {
  std::size_t const lanes = compat::is_gpu<ExecutionSpace> ? 32 : 1;
  if (rows.extent(0) == 0 || columns(values) == 0) return;
  using T = typename Values::non_const_value_type;
  upsweep::internal::for_each_index(
      space, "upsweep::redistribute_rows::pack", rows.extent(0) * lanes,
      pack_long_rows<Values, Rows, Offsets, Starts>{values, rows, offsets, starts, reinterpret_cast<T*>(to),
                                                    columns(values), lanes});
}

}  // namespace detail

/// Rows of different lengths (CRS) to their ranks: row i, values(offsets(i)) ... values(offsets(i+1) - 1) of every
/// values View, goes to rank destinations(i); offsets and values become new Views: `redistribute_rows(comm, space,
/// destinations, list_offsets, neighbors, images);` Views of one entry per row go by redistribute, with the same
/// destinations and order.
///
/// Pre: all ranks call it; offsets has one entry more than destinations, never decreasing, from any start; values as
/// the Views of redistribute. Afterwards offsets(0) is 0.
/// Cost: as redistribute, with two scans over the rows.
/// Order: by source rank, then in the source's order. Deterministic.
/// Sync: collective; waits for the instance.
/// Throws: as redistribute; overflow_error when the new offsets do not fit in their type.
template <execution_space_argument ExecutionSpace, view_of_rank_1 Destinations, view_of_rank_1 Offsets,
          detail::view_of_rows... Values>
void redistribute_rows(communicator const& comm, ExecutionSpace const& space, Destinations const& destinations,
                       Offsets& offsets, Values&... values) {
  static constexpr char const* function = "mpi::redistribute_rows";
  using memory_space = typename ExecutionSpace::memory_space;
  using lengths_view = Kokkos::View<std::uint64_t*, memory_space>;
  std::size_t const n = destinations.extent(0);
  internal::fingerprint arguments;
  arguments.text(function).value(sizeof...(Values)).template type<typename Offsets::non_const_value_type>();
  (detail::add_view(arguments, values), ...);
  detail::row_route<ExecutionSpace> route(comm, space, destinations, arguments, function, [&] {
    internal::require(offsets.extent(0) == n + 1, function, [&] {
      return "offsets has " + std::to_string(offsets.extent(0)) + " entries, there are " + std::to_string(n) +
             " destinations; it needs one more";
    });
    auto const ends = detail::entries_at(space, offsets, {0, n}, "redistribute_rows");
    auto const first = ends[0], last = ends[1];  // a negative one has become a very large one
    internal::require(first <= last, function, [&] {
      return "offsets begin with " + std::to_string(static_cast<std::int64_t>(first)) + " and end with " +
             std::to_string(static_cast<std::int64_t>(last));
    });
    (internal::require(values.extent(0) >= last, function,
                       [&] {
                         return "view " + values.label() + " has " + std::to_string(values.extent(0)) +
                                " elements, offsets end at " + std::to_string(last);
                       }),
     ...);
  });
  auto const& rows = route.leaving().rows;
  using rows_view = std::remove_cvref_t<decltype(rows)>;

  // Lengths travel first; their sums say where the values go.
  lengths_view starts, lengths;
  all_or_none(comm, [&] {
    starts = detail::allocate<std::uint64_t>(space, n + 1, "redistribute_rows", "starts");
    std::uint64_t total = 0;
    upsweep::counts_to_offsets(space, detail::packed_length<rows_view, Offsets>{rows, offsets}, starts, into{total});
    lengths = detail::allocate<std::uint64_t>(space, route.received(), "redistribute_rows", "lengths");
    route.reserve(space, lengths, n, route.received());
    using difference = detail::difference<lengths_view>;
    using packed_view = Kokkos::View<std::uint64_t*, memory_space, Kokkos::MemoryUnmanaged>;
    packed_view const packed(reinterpret_cast<std::uint64_t*>(route.buffers().send()), n);
    upsweep::internal::for_each_index(space, "upsweep::redistribute_rows::lengths", n,
                                      detail::store_values<difference, packed_view>{difference{starts}, packed});
    route.prepare(comm, space, route.leaving().offsets, route.arriving(), lengths);
  });
  route.transfer(comm, space, lengths);

  Offsets new_offsets;
  std::vector<std::size_t> sent, arrived;
  auto received = all_or_none(comm, [&] {
    new_offsets = detail::with_rows(space, offsets, route.received() + 1);
    upsweep::counts_to_offsets(space, lengths, new_offsets);
    sent = detail::entries_at(space, starts, route.leaving().offsets, "redistribute_rows");
    arrived = detail::entries_at(space, new_offsets, route.arriving(), "redistribute_rows");
    std::tuple<Values...> result(detail::with_rows(space, values, arrived.back())...);
    std::apply([&](Values const&... to) { (route.reserve(space, to, sent.back(), arrived.back()), ...); }, result);
    return result;
  });
  auto const move = [&](auto const& from, auto const& to) {
    all_or_none(comm, [&] {
      detail::pack_values(space, from, rows, offsets, starts, route.buffers().send());
      route.prepare(comm, space, sent, arrived, to);
    });
    route.transfer(comm, space, to);
  };
  std::apply([&](Values const&... to) { (move(values, to), ...); }, received);
  detail::fence_without_memory(space, "upsweep::redistribute_rows");
  offsets = new_offsets;
  std::tie(values...) = std::move(received);
}

UPSWEEP_WITHOUT_COMMUNICATOR(redistribute_rows)

}  // namespace upsweep::mpi
