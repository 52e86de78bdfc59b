// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <mpi.h>

#include <memory>

namespace upsweep::mpi {

/// Throws communication_error with the failed function's name and MPI's own text unless `code` is MPI_SUCCESS.
void check(int code, char const* function);

namespace detail {
struct communicator_state;
struct transfer_cache;
}  // namespace detail

/// The ranks that work together: `mpi::communicator comm(MPI_COMM_WORLD);` duplicates once, so that the library's
/// messages never meet the caller's. Copies share the duplicate; the last one frees it, unless MPI has been finalized.
/// Pre: MPI is initialised (the library never does that) and not finalized; all ranks of `parent` construct.
/// Sync: collective. Calls that take a communicator are collective too, from one host thread at a time.
/// Throws: precondition_error when MPI is not running or parent is MPI_COMM_NULL; communication_error.
class communicator {
 public:
  explicit communicator(MPI_Comm parent);

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  /// The duplicate; it returns error codes instead of aborting.
  MPI_Comm get() const noexcept;

  /// How device memory travels, once found out (gpu_aware.hpp).
  detail::transfer_cache& transfers() const noexcept;

 private:
  std::shared_ptr<detail::communicator_state> state_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace upsweep::mpi
