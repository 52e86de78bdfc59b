// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/agree_and_scan/scan_call.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace upsweep::mpi::detail {

/// Records of all ranks in flight: {status, fingerprint, state} of gather_states.
class pending_records {
 public:
  pending_records() = default;
  pending_records(pending_records const&) = delete;
  pending_records& operator=(pending_records const&) = delete;
  /// Waits for what is in flight, since MPI writes to memory of this object. After a failure of the communicator that
  /// might never end: the memory is then left to MPI.
  ~pending_records();

  /// Takes memory for the records. Local; may throw on one rank.
  void reserve(communicator const& comm);

  /// Starts to gather. Where reserve() has thrown on this rank, the others get its record all the same, and this call
  /// waits for theirs.
  void start(communicator const& comm, failure const& local, internal::fingerprint const& arguments, void const* state,
             std::size_t state_bytes);

  /// Waits, and returns the records of all ranks.
  std::byte const* wait(communicator const& comm);

 private:
  std::unique_ptr<std::byte[]> records_;  ///< of all ranks, and behind them that of this one
  std::optional<communicator> comm_;      ///< of the request
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace upsweep::mpi::detail
