// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/transfer_cache.hpp>

#include <string>

namespace upsweep::mpi {

void check(int code, char const* function) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  throw communication_error(
      std::string(function) + ": " +
      (length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "MPI error code " + std::to_string(code)));
}

namespace detail {

struct communicator_state {
  MPI_Comm handle = MPI_COMM_NULL;
  transfer_cache transfers;

  communicator_state() = default;
  communicator_state(communicator_state const&) = delete;
  communicator_state& operator=(communicator_state const&) = delete;
  ~communicator_state() {
    int finalized = 1;
    if (handle != MPI_COMM_NULL && MPI_Finalized(&finalized) == MPI_SUCCESS && !finalized) MPI_Comm_free(&handle);
  }
};

}  // namespace detail

communicator::communicator(MPI_Comm parent) : state_(std::make_shared<detail::communicator_state>()) {
  int initialized = 0;
  int finalized = 0;
  check(MPI_Initialized(&initialized), "MPI_Initialized");
  check(MPI_Finalized(&finalized), "MPI_Finalized");
  require(initialized && !finalized, "mpi::communicator",
          finalized ? "MPI has been finalized" : "MPI is not initialised; call MPI_Init or MPI_Init_thread first");
  require(parent != MPI_COMM_NULL, "mpi::communicator", "the communicator given is MPI_COMM_NULL");
  check(MPI_Comm_dup(parent, &state_->handle), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(state_->handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(state_->handle, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(state_->handle, &size_), "MPI_Comm_size");
}

MPI_Comm communicator::get() const noexcept {
  return state_ ? state_->handle : MPI_COMM_NULL;
}

detail::transfer_cache& communicator::transfers() const noexcept {
  return state_->transfers;
}

}  // namespace upsweep::mpi
