// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/index.hpp>
#include <upsweep/mpi/detail/gather_states.hpp>

#include <algorithm>
#include <bit>
#include <string>

namespace upsweep::mpi::detail {

namespace {
struct header {
  std::int32_t kind;
  std::uint32_t state_bytes;
  std::uint64_t fingerprint;
};
}  // namespace

gathered_states gather_states(communicator const& comm, failure const& local, fingerprint const& arguments,
                              void const* state, std::size_t state_bytes, char const* function) {
  // Records are rounded up to 64 bytes and more, so that ranks that disagree on a small type still exchange messages
  // of the same size, and find that out from the fingerprint instead of from MPI.
  gathered_states all;
  all.first = sizeof(header);
  all.stride = std::max<std::size_t>(64, std::bit_ceil(sizeof(header) + state_bytes));
  std::vector<std::byte> mine(all.stride);
  header const own{static_cast<std::int32_t>(local.kind), static_cast<std::uint32_t>(state_bytes), arguments.get()};
  std::memcpy(mine.data(), &own, sizeof(own));
  std::memcpy(mine.data() + all.first, state, state_bytes);
  all.records.resize(checked_multiply(all.stride, static_cast<std::size_t>(comm.size()), function, "bytes gathered"));
  int const bytes = narrow<int>(all.stride, function, "bytes of a state");
  check(MPI_Allgather(mine.data(), bytes, MPI_BYTE, all.records.data(), bytes, MPI_BYTE, comm.get()), "MPI_Allgather");

  bool failed = false;
  int differs = -1;
  for (int r = 0; r < comm.size(); ++r) {
    header h{};
    std::memcpy(&h, all.records.data() + static_cast<std::size_t>(r) * all.stride, sizeof(h));
    failed = failed || h.kind != static_cast<std::int32_t>(error_kind::none);
    header first{};
    std::memcpy(&first, all.records.data(), sizeof(first));
    if (differs < 0 && (h.fingerprint != first.fingerprint || h.state_bytes != first.state_bytes)) differs = r;
  }
  // Every rank has seen the same records, so all of them take the same way from here.
  if (failed) agree(comm, local.kind, local.message);
  require(
      differs < 0, function,
      "the ranks call with different types or operations: rank " + std::to_string(differs) + " differs from rank 0");
  return all;
}

}  // namespace upsweep::mpi::detail
