// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace upsweep::mpi::detail {

namespace {

constexpr int tag = 1;

/// Calls f(peer, first byte, bytes as int) for every piece of every message to another rank.
template <class F>
void for_each_piece(int self, std::vector<message> const& messages, std::size_t piece, F const& f) {
  for (auto const& m : messages) {
    if (m.peer == self) continue;
    for (std::size_t at = 0; at < m.bytes; at += piece)
      f(m.peer, m.first + at, static_cast<int>(std::min(piece, m.bytes - at)));
  }
}

}  // namespace

bool exchange_result::note(int returned, char const* called) noexcept {
  if (returned == MPI_SUCCESS) return true;
  if (good()) {
    code = returned;
    function = called;
  }
  return false;
}

void exchange_result::expect(MPI_Status const& status, int bytes) noexcept {
  int count = 0;
  if (!good() || !note(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count")) return;
  if (count != bytes) *this = {MPI_SUCCESS, "mpi::exchange", status.MPI_SOURCE, count, bytes};
}

void exchange_result::require_good(communicator const& comm) const {
  if (good()) return;
  check(comm, code, function);
  mark_failed(comm, function);
  throw communication_error("mpi::exchange: rank " + std::to_string(source) + " sent " + std::to_string(received) +
                            " bytes where " + std::to_string(expected) + " were announced");
}

bool exchange_result::receive(std::byte* to, int bytes, int peer, int with_tag, MPI_Comm comm,
                              MPI_Request& request) noexcept {
  request = MPI_REQUEST_NULL;
  bool const good = note(MPI_Irecv(to, bytes, MPI_BYTE, peer, with_tag, comm, &request), "MPI_Irecv");
  if (!good) request = MPI_REQUEST_NULL;
  return good;
}

void exchange_result::send(std::byte const* from, int bytes, int peer, int with_tag, MPI_Comm comm,
                           MPI_Request& request) noexcept {
  request = MPI_REQUEST_NULL;
  if (note(MPI_Isend(from, bytes, MPI_BYTE, peer, with_tag, comm, &request), "MPI_Isend")) return;
  if (MPI_Isend(nullptr, 0, MPI_BYTE, peer, with_tag, comm, &request) != MPI_SUCCESS) request = MPI_REQUEST_NULL;
}

void let_go(MPI_Request& request, bool incoming) noexcept {
  if (request == MPI_REQUEST_NULL) return;
  if (incoming) MPI_Cancel(&request);
  MPI_Request_free(&request);
}

posted_messages::posted_messages(posted_messages&& other) noexcept
    : requests(std::move(other.requests)),
      discarded(std::move(other.discarded)),
      incoming(other.incoming),
      all(std::exchange(other.all, 0)),
      result(other.result),
      comm(std::move(other.comm)) {}

posted_messages& posted_messages::operator=(posted_messages&& other) noexcept {
  if (this == &other) return *this;
  abandon();
  requests = std::move(other.requests);
  discarded = std::move(other.discarded);
  incoming = other.incoming;
  all = std::exchange(other.all, 0);
  result = other.result;
  comm = std::move(other.comm);
  return *this;
}

void posted_messages::abandon() noexcept {
  int finalized = 1;
  if (MPI_Finalized(&finalized) != MPI_SUCCESS || finalized) return;
  if (all > 0 && comm && comm->is_usable()) MPI_Waitall(static_cast<int>(all), requests.data(), MPI_STATUSES_IGNORE);
  let_go();
}

void posted_messages::let_go() noexcept {
  for (std::size_t i = 0; i < all; ++i) detail::let_go(requests[i], i < incoming);
  all = 0;
  comm.reset();  // the last copy frees MPI's communicator, which is collective
}

std::size_t exchange::pieces_of(std::vector<message> const& messages) const {
  std::size_t n = 0;
  for_each_piece(self_, messages, piece_, [&](int, std::size_t, int) { ++n; });
  return n;
}

void exchange::reserve(std::size_t messages, std::size_t bytes) {
  sends_.reserve(messages);
  receives_.reserve(messages);
  // The last piece of a message may be a short one.
  std::size_t const pieces = 2 * messages + bytes / largest_piece;
  posted_.requests.reserve(pieces);
  statuses_.reserve(pieces);
  expected_.reserve(pieces);
}

void exchange::prepare(int self, std::vector<message> const& sends, std::vector<message> const& receives,
                       std::size_t unit, std::size_t piece) {
  self_ = self;
  piece_ = piece;
  auto const in_bytes = [&](std::vector<message>& mine, std::vector<message> const& given) {
    mine = given;
    for (auto& m : mine) {
      m.first = internal::checked_multiply(m.first, unit, "mpi::exchange", "offset of a message in bytes");
      m.bytes = internal::checked_multiply(m.bytes, unit, "mpi::exchange", "bytes of a message");
    }
  };
  in_bytes(sends_, sends);
  in_bytes(receives_, receives);
  std::size_t const incoming = pieces_of(receives_);
  std::size_t const all = incoming + pieces_of(sends_);
  internal::narrow<int>(all, "mpi::exchange", "messages");
  posted_.requests.resize(all);
  statuses_.resize(all);
  expected_.resize(incoming);
}

void exchange::post(MPI_Comm comm, std::byte const* from, std::byte* to) noexcept {
  posted_.abandon();
  auto& result = posted_.result = {};
  posted_.discarded.clear();
  std::size_t n = 0;
  for_each_piece(self_, receives_, piece_, [&](int peer, std::size_t first, int bytes) {
    MPI_Request& request = posted_.requests[n];
    expected_[n++] = bytes;
    if (result.receive(to + first, bytes, peer, tag, comm, request)) return;
    auto& discarded = posted_.discarded;
    try {
      // Not an empty one: MPI_Waitall may end the program for a message that is too long.
      discarded.push_back(std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes)));
    } catch (std::bad_alloc const&) {
      return;
    }
    result.receive(discarded.back().get(), bytes, peer, tag, comm, request);
  });
  posted_.incoming = n;
  for_each_piece(self_, sends_, piece_, [&](int peer, std::size_t first, int bytes) {
    result.send(from + first, bytes, peer, tag, comm, posted_.requests[n++]);
  });
  posted_.all = n;
}

exchange_result exchange::wait() noexcept {
  auto result = posted_.result;
  std::size_t const all = posted_.all, incoming = posted_.incoming;
  if (all == 0) {
    // A rank without messages keeps the communicator no longer than the others.
    posted_.let_go();
    return result;
  }
  int const code = MPI_Waitall(static_cast<int>(all), posted_.requests.data(), statuses_.data());
  if (code == MPI_ERR_IN_STATUS)
    for (std::size_t i = 0; i < all; ++i)
      if (statuses_[i].MPI_ERROR != MPI_ERR_PENDING) result.note(statuses_[i].MPI_ERROR, "MPI_Waitall");
  result.note(code, "MPI_Waitall");
  // After an error some may be pending still, and the caller is about to free their memory.
  for (std::size_t i = 0; code != MPI_SUCCESS && i < all; ++i)
    if (posted_.requests[i] != MPI_REQUEST_NULL) MPI_Wait(&posted_.requests[i], MPI_STATUS_IGNORE);
  posted_.let_go();
  for (std::size_t i = 0; i < incoming; ++i) result.expect(statuses_[i], expected_[i]);
  return result;
}

exchange_result exchange::try_run(MPI_Comm comm, std::byte const* from, std::byte* to) noexcept {
  post(comm, from, to);
  return wait();
}

void exchange::start(communicator const& comm, std::byte const* from, std::byte* to) {
  post(comm.get(), from, to);
  posted_.comm = comm;
}

void exchange::finish(communicator const& comm) {
  // After another call on it has failed, messages may never come.
  static_cast<void>(comm.get());
  wait().require_good(comm);
}

void exchange_counts(communicator const& comm, std::vector<std::uint64_t> const& counts,
                     std::vector<std::uint64_t>& received) {
  int const each = static_cast<int>(counts.size()) / comm.size();
  check(comm, MPI_Alltoall(counts.data(), each, MPI_UINT64_T, received.data(), each, MPI_UINT64_T, comm.get()),
        "MPI_Alltoall");
}

}  // namespace upsweep::mpi::detail
