// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace upsweep::mpi {

/// Throws communication_error with the failed function's name and MPI's own text unless `code` is MPI_SUCCESS.
void check(int code, char const* function);

namespace detail {
struct communicator_state;
struct transfer_cache;
struct access;
/// Bytes that a communicator has for the record of each rank.
inline constexpr std::size_t record_bytes = 64;
}  // namespace detail

/// The ranks that work together: `mpi::communicator comm(MPI_COMM_WORLD);` duplicates once, so that the library's
/// messages never meet the caller's. Copies share the duplicate; the last one frees it, unless MPI has been finalized.
/// Where GPUs wrote into each other's memory for it, it waits there for those of all ranks, up to UPSWEEP_PEER_TIMEOUT.
/// After an MPI call on it has failed, this rank's copies are unusable: every later call throws communication_error
/// at once. MPI cannot inform the other ranks, which may wait for this one; MPI_Abort ends them.
/// Pre: MPI is initialised (the library never does that) and not finalized; all ranks of `parent` construct.
/// Cost: MPI_Allreduce of an int, MPI_Comm_dup; 128 bytes a rank of host memory.
/// Sync: collective. Calls that take a communicator are collective too, from one host thread at a time.
/// Throws: on each rank, before it communicates: precondition_error when MPI is not running, or parent is MPI_COMM_NULL
/// or an inter-communicator. On all ranks: out_of_memory_error. communication_error.
class communicator {
 public:
  explicit communicator(MPI_Comm parent);

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  /// The duplicate; it returns error codes instead of aborting.
  /// Throws: communication_error when an MPI call on it has failed before.
  MPI_Comm get() const;
  /// Whether no MPI call on it has failed on this rank.
  bool is_usable() const noexcept;

 private:
  friend struct detail::access;
  friend void mark_failed(communicator const& comm, char const* function) noexcept;

  // See detail::access.
  detail::transfer_cache& transfers() const noexcept;
  std::byte* records() const noexcept;

  std::shared_ptr<detail::communicator_state> state_;
  int rank_ = 0;
  int size_ = 1;
};

/// Makes this rank's copies of the communicator unusable. `function` is a literal, which later errors name.
void mark_failed(communicator const& comm, char const* function) noexcept;

/// check for an MPI call on `comm`, which is unusable on this rank after a failure.
void check(communicator const& comm, int code, char const* function);

}  // namespace upsweep::mpi
