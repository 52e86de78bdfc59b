// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/detail/messages/choose_transport.hpp>

#include <string>

namespace upsweep::mpi {

/// Whether memory of this execution space is handed to MPI as it is: `if (gpu_aware(comm, space)) ...`. That of the
/// host always is. For that of GPUs the environment variable UPSWEEP_TRANSPORT says how it goes to other ranks:
/// - peer: kernels store it into memory of the other GPU; all ranks on one node, each with a GPU of its own.
/// - mpi: device pointers go to MPI, which is not asked.
/// - nccl: NCCL, or RCCL for AMD GPUs, sends it from GPU to GPU; each rank needs one of its own.
/// - staged: it is copied through pinned host memory.
/// - auto, or not set: peer where it can be, else mpi where MPI says that it is GPU-aware, else nccl where it can be,
///   else staged.
///
/// A small device buffer is sent between ranks before peer, mpi or nccl is chosen. With auto an error on one rank rules
/// out that way on all. Messages of peer and nccl that are not answered within UPSWEEP_PEER_TIMEOUT (30) and
/// UPSWEEP_NCCL_TIMEOUT (300) seconds are a communication_error.
/// Sync: the first call for a communicator and memory space is collective.
/// Throws: on all ranks alike: precondition_error when a variable has another value or differs between ranks, or a way
/// that it asks for does not work, saying why; out_of_memory_error.
template <execution_space_argument ExecutionSpace>
bool gpu_aware(communicator const& comm, ExecutionSpace const& space) {
  return detail::transfer_of(comm, space)->by == detail::way::mpi;
}

/// How memory goes to other ranks, for people: "Cuda: staged through pinned host memory (UPSWEEP_TRANSPORT=staged)",
/// "Cuda: NCCL 2.28.9, a GPU for each rank (MPI says that it is not GPU-aware, self-test passed)".
/// Sync, Throws: as gpu_aware.
template <execution_space_argument ExecutionSpace>
std::string describe_transfers(communicator const& comm, ExecutionSpace const& space) {
  return detail::transfer_of(comm, space)->description;
}

UPSWEEP_WITHOUT_COMMUNICATOR(gpu_aware)
UPSWEEP_WITHOUT_COMMUNICATOR(describe_transfers)

}  // namespace upsweep::mpi
