// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/detail/rows/pending_records.hpp>

#include <cstddef>

namespace upsweep::mpi::detail {

pending_records::~pending_records() {
  int finalized = 1;
  if (request_ == MPI_REQUEST_NULL || MPI_Finalized(&finalized) != MPI_SUCCESS || finalized) return;
  if (comm_->is_usable()) MPI_Wait(&request_, MPI_STATUS_IGNORE);
  else static_cast<void>(records_.release());
}

void pending_records::reserve(communicator const& comm) {
  records_ = std::make_unique<std::byte[]>(record_bytes * (static_cast<std::size_t>(comm.size()) + 1));
}

void pending_records::start(communicator const& comm, failure const& local, internal::fingerprint const& arguments,
                            void const* state, std::size_t state_bytes) {
  comm_ = comm;
  bool const has_memory = records_ != nullptr;
  std::byte* const records = has_memory ? records_.get() : comm.records();
  std::byte* const mine = records + record_bytes * static_cast<std::size_t>(comm.size());
  fill_record(mine, local, arguments, state, state_bytes);
  constexpr int length = static_cast<int>(record_bytes);
  check(comm, MPI_Iallgather(mine, length, MPI_BYTE, records, length, MPI_BYTE, comm.get(), &request_),
        "MPI_Iallgather");
  // The communicator's records are for its next call.
  if (!has_memory) check(comm, MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
}

std::byte const* pending_records::wait(communicator const& comm) {
  // After a failure the communicator is unusable, and the request may never end.
  static_cast<void>(comm.get());
  check(comm, MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
  return records_.get();
}

}  // namespace upsweep::mpi::detail
