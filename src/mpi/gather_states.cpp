// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/agree_and_scan/gather_states.hpp>

#include <string>

namespace upsweep::mpi::detail {

namespace {
struct header {
  std::int32_t kind;
  std::uint32_t state_bytes;
  std::uint64_t fingerprint;
};
constexpr std::size_t largest_state_in_record = record_bytes - sizeof(header);

/// What a rank sends, record_bytes of it.
void fill_record(std::byte* record, failure const& local, internal::fingerprint const& arguments, void const* state,
                 std::size_t state_bytes) noexcept {
  header const own{static_cast<std::int32_t>(local.kind), static_cast<std::uint32_t>(state_bytes), arguments.get()};
  std::memset(record, 0, record_bytes);
  std::memcpy(record, &own, sizeof(own));
  if (state_bytes <= largest_state_in_record) std::memcpy(record + sizeof(header), state, state_bytes);
}

/// What all ranks make of the records. Collective where a rank failed or states are large.
gathered_states states_in_records(communicator const& comm, std::byte const* records, failure const& local,
                                  void const* state, std::size_t state_bytes, char const* function, char const* what) {
  bool failed = false;
  int differs = -1;
  header first{};
  std::memcpy(&first, records, sizeof(first));
  for (int r = 0; r < comm.size(); ++r) {
    header h{};
    std::memcpy(&h, records + record_bytes * static_cast<std::size_t>(r), sizeof(h));
    failed = failed || h.kind != static_cast<std::int32_t>(error_kind::none);
    if (differs < 0 && (h.fingerprint != first.fingerprint || h.state_bytes != first.state_bytes)) differs = r;
  }
  // Every rank has seen the same records, so all of them take the same way from here.
  if (failed) agree(comm, local.kind, local.message);
  if (differs >= 0)
    throw precondition_error(std::string(function) + ": the ranks call with different " + what + ": rank " +
                             std::to_string(differs) + " differs from rank 0");
  gathered_states all;
  if (state_bytes <= largest_state_in_record) {
    all.first = records + sizeof(header);
    all.stride = record_bytes;
    return all;
  }
  int const bytes = all_or_none(comm, [&] {
    all.large.resize(
        internal::checked_multiply(state_bytes, static_cast<std::size_t>(comm.size()), function, "bytes gathered"));
    return internal::narrow<int>(state_bytes, function, "bytes of a state");
  });
  check(comm, MPI_Allgather(state, bytes, MPI_BYTE, all.large.data(), bytes, MPI_BYTE, comm.get()), "MPI_Allgather");
  all.first = all.large.data();
  all.stride = state_bytes;
  return all;
}
}  // namespace

gathered_states gather_states(communicator const& comm, failure const& local, internal::fingerprint const& arguments,
                              void const* state, std::size_t state_bytes, char const* function, char const* what) {
  std::byte* const records = access::records(comm);
  std::byte* const mine = records + record_bytes * static_cast<std::size_t>(comm.size());
  fill_record(mine, local, arguments, state, state_bytes);
  constexpr int length = static_cast<int>(record_bytes);
  check(comm, MPI_Allgather(mine, length, MPI_BYTE, records, length, MPI_BYTE, comm.get()), "MPI_Allgather");
  return states_in_records(comm, records, local, state, state_bytes, function, what);
}

}  // namespace upsweep::mpi::detail
