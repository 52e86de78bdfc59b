// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/messages/transfer_cache.hpp>
#include <upsweep/mpi/internal/mpi_text.hpp>

#include <exception>
#include <string>
#include <vector>

namespace upsweep::mpi {

void check(int code, char const* function) {
  if (code == MPI_SUCCESS) return;
  throw communication_error(std::string(function) + ": " + internal::mpi_text(code));
}

namespace detail {

struct communicator_state {
  MPI_Comm handle = MPI_COMM_NULL;
  transfer_cache transfers;
  std::vector<std::byte> records;
  char const* failed = nullptr;  // the MPI function that returned an error

  communicator_state() = default;
  communicator_state(communicator_state const&) = delete;
  communicator_state& operator=(communicator_state const&) = delete;
  ~communicator_state() {
    int finalized = 1;
    bool const running = MPI_Finalized(&finalized) == MPI_SUCCESS && !finalized;
    // Freeing is collective: after a failure it might wait for ranks that do not come.
    bool frees = running && handle != MPI_COMM_NULL && failed == nullptr;
    if (transfers.peers) {
      // Where an exception ends this rank alone, nobody else comes.
      if (std::uncaught_exceptions() > 0) transfers.peers->set_deadline(1);
      if (frees) frees = transfers.peers->close(handle);
      else if (running) transfers.peers->abort();
      else transfers.peers->forget();
    }
    if (transfers.nccl) {
      if (frees) transfers.nccl->close();
      else if (running) transfers.nccl->abort();
      else transfers.nccl->forget();  // devices may be gone, too
    }
    if (frees) MPI_Comm_free(&handle);
  }
};

}  // namespace detail

namespace {

/// Refuses what cannot be duplicated. Nothing here communicates, and nothing allocates unless it throws: a rank that
/// throws alone leaves the others waiting.
void require_usable(MPI_Comm parent) {
  static constexpr char const* function = "mpi::communicator: ";
  auto const refuse = [](char const* reason) { throw precondition_error(std::string(function) + reason); };
  int initialized = 0;
  int finalized = 0;
  check(MPI_Initialized(&initialized), "MPI_Initialized");
  check(MPI_Finalized(&finalized), "MPI_Finalized");
  if (finalized) refuse("MPI has been finalized");
  if (!initialized) refuse("MPI is not initialised; call MPI_Init or MPI_Init_thread first");
  if (parent == MPI_COMM_NULL) refuse("the communicator given is MPI_COMM_NULL");
  int inter = 0;
  check(MPI_Comm_test_inter(parent, &inter), "MPI_Comm_test_inter");
  if (inter) refuse("the communicator given is an inter-communicator; merge its groups with MPI_Intercomm_merge");
}

}  // namespace

communicator::communicator(MPI_Comm parent) {
  require_usable(parent);
  check(MPI_Comm_rank(parent, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(parent, &size_), "MPI_Comm_size");
  int mine = 0;
  try {
    state_ = std::make_shared<detail::communicator_state>();
    state_->records.resize(2 * detail::record_bytes * static_cast<std::size_t>(size_));
    mine = 1;
  } catch (std::exception const&) {
  }
  int all = 0;
  check(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, parent), "MPI_Allreduce");
  if (all == 0) throw out_of_memory_error("mpi::communicator: a rank has no memory left");
  check(MPI_Comm_dup(parent, &state_->handle), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(state_->handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

MPI_Comm communicator::get() const {
  if (!state_) return MPI_COMM_NULL;
  if (state_->failed != nullptr)
    throw communication_error(std::string("mpi::communicator: unusable on this rank since ") + state_->failed +
                              " failed on it");
  return state_->handle;
}

bool communicator::is_usable() const noexcept { return state_ && state_->failed == nullptr; }

detail::transfer_cache& communicator::transfers() const noexcept { return state_->transfers; }

std::byte* communicator::records() const noexcept { return state_->records.data(); }

void mark_failed(communicator const& comm, char const* function) noexcept {
  if (comm.state_ && comm.state_->failed == nullptr) comm.state_->failed = function;
}

void check(communicator const& comm, int code, char const* function) {
  if (code == MPI_SUCCESS) return;
  mark_failed(comm, function);
  check(code, function);
}

}  // namespace upsweep::mpi
