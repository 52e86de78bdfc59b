// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/messages/nccl_messages.hpp>
#include <upsweep/mpi/detail/messages/peer_messages.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace upsweep::mpi::detail {

/// How the memory of one memory space reaches another rank.
enum class way {
  peer,   ///< kernels store into the memory of the other GPU
  mpi,    ///< MPI gets the pointers as they are
  nccl,   ///< NCCL, or RCCL, does
  staged  ///< through pinned memory of the host
};

struct transfer {
  way by = way::staged;
  std::string description;  ///< for people
};

/// What is known for each memory space, by its name. Looked up by a literal, without allocating.
struct transfer_cache {
  std::map<std::string, transfer, std::less<>> known;
  nccl_library* library = built_in_nccl();
  std::unique_ptr<nccl_communicator> nccl;  ///< where some memory travels by it
  peer_library* peer_memory = built_in_peers();
  std::unique_ptr<peer_communicator> peers;  ///< where some memory travels by it
  bool ranks_may_share_gpus = false;         ///< a test may have fewer GPUs than ranks
  int staged = 0;                            ///< staged exchanges so far, the same on all ranks
};

}  // namespace upsweep::mpi::detail
