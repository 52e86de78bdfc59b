// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/detail/messages/choose_transport.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/messages/transfer_buffers.hpp>
#include <upsweep/mpi/detail/rows/bad_destination.hpp>
#include <upsweep/mpi/detail/rows/listed_rows.hpp>
#include <upsweep/mpi/detail/rows/rows.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace upsweep::mpi::detail {

/// Prefix sums of counts, with the total behind them: offsets has an entry more. Allocates nothing.
inline void sum_counts(std::vector<std::uint64_t> const& counts, std::vector<std::size_t>& offsets) {
  offsets[0] = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) offsets[i + 1] = offsets[i] + counts[i];
}

/// Which rows go to which rank, and how many come from each: found once, used for every View of a call. prepare() and
/// reserve() are local and belong inside all_or_none; transfer() is collective and allocates nothing.
template <class ExecutionSpace>
class row_route {
 public:
  /// Collective. check() looks at the arguments of this rank; `arguments` must be the same on all. Throws on all ranks
  /// alike, also when a destination is not a rank.
  template <class Destinations, class Check>
  row_route(communicator const& comm, ExecutionSpace const& space, Destinations const& destinations,
            internal::fingerprint const& arguments, char const* function, Check const& check) {
    std::vector<std::uint64_t> leaving, arriving;
    all_or_none_checked(comm, arguments, function, "the number, types and columns of the Views", [&] {
      check();
      auto const ranks = static_cast<std::size_t>(comm.size());
      leaving_ = sort_rows(comm, space, destinations, function);
      leaving.resize(ranks);
      arriving.resize(ranks);
      arriving_.resize(ranks + 1);
      for (std::size_t r = 0; r < ranks; ++r) leaving[r] = leaving_.offsets[r + 1] - leaving_.offsets[r];
    });
    exchange_counts(comm, leaving, arriving);
    sum_counts(arriving, arriving_);
    how_ = transfer_of(comm, space);
  }

  listed_rows<ExecutionSpace> const& leaving() const { return leaving_; }
  /// Where the rows of each source begin among those received.
  std::vector<std::size_t> const& arriving() const { return arriving_; }
  std::size_t received() const { return arriving_.back(); }

  /// Buffers to send elements of one View and receive them in another; sizes in elements, that is rows of the Views.
  template <class View>
  void reserve(ExecutionSpace const& space, View const& to, std::size_t send, std::size_t receive) {
    auto const bytes = [&](std::size_t n) {
      return internal::checked_multiply(n, row_bytes(to), "mpi::redistribute", "bytes moved");
    };
    buffers_.reserve(space, bytes(send), rows_are_packed(to) ? 0 : bytes(receive));
  }
  transfer_buffers<ExecutionSpace> const& buffers() const { return buffers_; }

  /// Makes ready what is packed in buffers().send(), elements sent[r] ... sent[r + 1] - 1 for rank r, to be received as
  /// elements arriving[r] ... of `to`.
  template <class View>
  void prepare(communicator const& comm, ExecutionSpace const& space, std::vector<std::size_t> const& sent,
               std::vector<std::size_t> const& arriving, View const& to) {
    buffers_.prepare(comm, space, how_, messages_of(sent), messages_of(arriving), row_bytes(to), target(to));
  }
  /// Moves what was prepared.
  template <class View>
  void transfer(communicator const& comm, ExecutionSpace const& space, View const& to) {
    buffers_.run(comm, space, target(to));
    if (!rows_are_packed(to)) unpack(space, buffers_.receive(), to, 0, to.extent(0), "upsweep::redistribute::unpack");
  }

 private:
  template <class View>
  std::byte* target(View const& to) const {
    return rows_are_packed(to) ? reinterpret_cast<std::byte*>(to.data()) : buffers_.receive();
  }

  template <class Destinations>
  static listed_rows<ExecutionSpace> sort_rows(communicator const& comm, ExecutionSpace const& space,
                                               Destinations const& destinations, char const* function) {
    auto const bad = first_bad_row(space, destinations.extent(0), not_a_rank<Destinations>{destinations, comm.size()},
                                   "redistribute");
    if (bad < destinations.extent(0)) throw_bad_destination(space, destinations, bad, comm.size(), function);
    return list_by_rank(space, destinations, comm.size(), comm.rank(), "redistribute");
  }

  listed_rows<ExecutionSpace> leaving_;
  std::vector<std::size_t> arriving_;
  transfer_buffers<ExecutionSpace> buffers_;
  detail::transfer const* how_ = nullptr;
};

}  // namespace upsweep::mpi::detail
