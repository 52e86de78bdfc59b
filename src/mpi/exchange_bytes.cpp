// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/mpi/detail/exchange_bytes.hpp>

#include <algorithm>
#include <string>

namespace upsweep::mpi::detail {

namespace {

constexpr int tag = 1;

/// Calls f(peer, first byte, bytes as int) for every piece of every message to another rank.
template <class F>
void for_each_piece(communicator const& comm, std::vector<message> const& messages, std::size_t piece, F const& f) {
  for (auto const& m : messages) {
    if (m.peer == comm.rank()) continue;
    for (std::size_t at = 0; at < m.bytes; at += piece)
      f(m.peer, m.first + at, static_cast<int>(std::min(piece, m.bytes - at)));
  }
}

}  // namespace

void exchange_bytes(communicator const& comm, std::vector<message> const& sends, std::byte const* from,
                    std::vector<message> const& receives, std::byte* to, std::size_t piece) {
  std::vector<MPI_Request> requests;
  std::vector<int> expected;
  for_each_piece(comm, receives, piece, [&](int peer, std::size_t first, int bytes) {
    requests.push_back(MPI_REQUEST_NULL);
    expected.push_back(bytes);
    check(MPI_Irecv(to + first, bytes, MPI_BYTE, peer, tag, comm.get(), &requests.back()), "MPI_Irecv");
  });
  for_each_piece(comm, sends, piece, [&](int peer, std::size_t first, int bytes) {
    requests.push_back(MPI_REQUEST_NULL);
    check(MPI_Isend(from + first, bytes, MPI_BYTE, peer, tag, comm.get(), &requests.back()), "MPI_Isend");
  });
  if (requests.empty()) return;
  std::vector<MPI_Status> statuses(requests.size());
  int const n = narrow<int>(requests.size(), "mpi::exchange", "messages");
  int const code = MPI_Waitall(n, requests.data(), statuses.data());
  if (code == MPI_ERR_IN_STATUS)
    for (auto const& s : statuses) check(s.MPI_ERROR == MPI_ERR_PENDING ? MPI_SUCCESS : s.MPI_ERROR, "MPI_Waitall");
  check(code, "MPI_Waitall");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    int bytes = 0;
    check(MPI_Get_count(&statuses[i], MPI_BYTE, &bytes), "MPI_Get_count");
    if (bytes != expected[i])
      throw communication_error("mpi::exchange: rank " + std::to_string(statuses[i].MPI_SOURCE) + " sent " +
                                std::to_string(bytes) + " bytes where " + std::to_string(expected[i]) +
                                " were announced");
  }
}

std::vector<std::uint64_t> exchange_counts(communicator const& comm, std::vector<std::uint64_t> const& counts) {
  std::vector<std::uint64_t> received(counts.size());
  check(MPI_Alltoall(counts.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, comm.get()), "MPI_Alltoall");
  return received;
}

}  // namespace upsweep::mpi::detail
