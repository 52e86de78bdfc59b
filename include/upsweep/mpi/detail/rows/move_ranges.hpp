// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_memory.hpp>
#include <upsweep/mpi/detail/messages/choose_transport.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/messages/transfer_buffers.hpp>
#include <upsweep/mpi/detail/rows/row_route.hpp>
#include <upsweep/mpi/detail/rows/row_shares.hpp>
#include <upsweep/mpi/detail/rows/rows.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace upsweep::mpi::detail {

/// Rows 0 ... n - 1, in place of a list of rows.
struct consecutive_rows {
  std::size_t n;
  std::size_t extent(int) const { return n; }
  KOKKOS_FUNCTION std::size_t operator()(std::size_t i) const { return i; }
};

/// Names of kernels, made in time: memory that runs out once rows have moved would be one rank's error.
struct move_names {
  std::string pack, unpack;
  move_names(char const* function, std::string_view caller)
      : pack(internal::label(function, "pack", caller)), unpack(internal::label(function, "unpack", caller)) {}
};

/// One View that moves: sent from where it lies where its rows have no gaps, else packed first.
template <class ExecutionSpace, class View>
struct moving_rows {
  View from, to;
  bool sends_in_place, receives_in_place;

  moving_rows(ExecutionSpace const& space, View const& view, row_ranges const& ranges)
      : from(view),
        to(with_rows(space, view, ranges.arriving.back())),
        sends_in_place(rows_are_packed(from)),
        receives_in_place(rows_are_packed(to)) {}

  std::byte* target(transfer_buffers<ExecutionSpace> const& buffers) const {
    return receives_in_place ? reinterpret_cast<std::byte*>(to.data()) : buffers.receive();
  }
  /// Local, may throw: all memory, before the first row moves.
  void reserve(ExecutionSpace const& space, row_ranges const& ranges, transfer_buffers<ExecutionSpace>& buffers,
               char const* function) const {
    auto const bytes = [&](std::size_t n) {
      return internal::checked_multiply(n, row_bytes(to), function, "bytes moved");
    };
    std::size_t const in = bytes(ranges.arriving.back()), out = bytes(ranges.leaving.back());
    buffers.reserve(space, sends_in_place ? 0 : out, receives_in_place ? 0 : in);
  }
  /// Collective.
  void move(communicator const& comm, ExecutionSpace const& space, transfer const* how, row_ranges const& ranges,
            transfer_buffers<ExecutionSpace>& buffers, move_names const& names) const {
    all_or_none(comm, [&] {
      if (!sends_in_place) pack(space, from, consecutive_rows{from.extent(0)}, buffers.send(), names.pack.c_str());
      auto const* const source = sends_in_place ? reinterpret_cast<std::byte const*>(from.data()) : buffers.send();
      buffers.prepare_from(comm, space, how, source, messages_of(ranges.leaving), messages_of(ranges.arriving),
                           row_bytes(to), target(buffers));
    });
    buffers.run(comm, space, target(buffers));
    if (!receives_in_place) unpack(space, buffers.receive(), to, 0, to.extent(0), names.unpack.c_str());
  }
};

/// New Views with the rows that these ranges say: by source rank, then in the source's order. Collective; waits for the
/// instance. Throws on all ranks alike, with all Views untouched. `caller` is the label of the caller's.
template <class ExecutionSpace, view_of_rows... Views>
std::tuple<Views...> move_ranges(communicator const& comm, ExecutionSpace const& space, row_ranges const& ranges,
                                 char const* function, std::string_view caller, Views const&... views) {
  transfer const* const how = transfer_of(comm, space);
  transfer_buffers<ExecutionSpace> buffers;
  std::optional<move_names> names;
  auto moving = all_or_none(comm, [&] {
    names.emplace(function, caller);
    std::tuple<moving_rows<ExecutionSpace, Views>...> all{moving_rows<ExecutionSpace, Views>(space, views, ranges)...};
    std::apply([&](auto const&... v) { (v.reserve(space, ranges, buffers, function), ...); }, all);
    return all;
  });
  std::apply([&](auto const&... v) { (v.move(comm, space, how, ranges, buffers, *names), ...); }, moving);
  // The buffers, and perhaps the rows sent, are freed behind this.
  fence_without_memory(space, "upsweep::mpi::move_ranges");
  return std::apply([](auto const&... v) { return std::tuple<Views...>(v.to...); }, moving);
}

}  // namespace upsweep::mpi::detail
