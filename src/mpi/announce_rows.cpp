// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/rows/announce_rows.hpp>

#include <cstring>

namespace upsweep::mpi::detail {

namespace {

struct announcement {
  std::int64_t kind;
  std::uint64_t fingerprint;
  std::uint64_t for_you;  ///< rows for the rank that reads it
  std::uint64_t leaving;  ///< rows for all others
  std::int64_t room;
};
static_assert(sizeof(announcement) <= record_bytes);

announcement read(std::byte const* records, int rank) {
  announcement result;
  std::memcpy(&result, records + sizeof(announcement) * static_cast<std::size_t>(rank), sizeof(result));
  return result;
}

}  // namespace

announced_rows announce_rows(communicator const& comm, failure const& local, internal::fingerprint const& arguments,
                             std::vector<std::size_t> const& leaving, std::int64_t room,
                             std::vector<std::size_t>& arriving, char const* function, char const* what) {
  auto const ranks = static_cast<std::size_t>(comm.size());
  std::byte* const received = access::records(comm);
  std::byte* const sent = received + record_bytes * ranks;
  bool const good = local.kind == error_kind::none;
  announcement mine{static_cast<std::int64_t>(local.kind), arguments.get(), 0, good ? leaving.back() : 0, room};
  for (std::size_t r = 0; r < ranks; ++r) {
    if (good) mine.for_you = leaving[r + 1] - leaving[r];
    std::memcpy(sent + sizeof(mine) * r, &mine, sizeof(mine));
  }
  constexpr int bytes = static_cast<int>(sizeof(announcement));
  check(comm, MPI_Alltoall(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, comm.get()), "MPI_Alltoall");

  std::uint64_t all = 0;
  bool agreed = true;
  for (int r = 0; r < comm.size(); ++r) {
    auto const a = read(received, r);
    agreed = agreed && a.kind == static_cast<std::int64_t>(error_kind::none) &&
             a.fingerprint == read(received, 0).fingerprint;
    all += a.leaving;
  }
  // Every rank has seen the same of all, so all of them take the same way from here.
  if (!agreed) agree_on(comm, local.kind, local.message, arguments, function, what);
  announced_rows result;
  result.any = all > 0;
  result.most = all - mine.leaving;
  arriving[0] = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    auto const a = read(received, static_cast<int>(r));
    arriving[r + 1] = arriving[r] + a.for_you;
    // Counts of pairs are known to the two ranks only, so this asks for the most that may arrive there.
    bool const fits = a.room >= 0 && static_cast<std::uint64_t>(a.room) >= all - a.leaving;
    result.room_everywhere = result.room_everywhere && fits;
  }
  return result;
}

}  // namespace upsweep::mpi::detail
