// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A call that ends before its space.
// Expected: upsweep::mpi::gpu_aware: .* an upsweep::mpi::communicator and an execution-space instance
// Lines: 40

#include "snippet.hpp"

#include <upsweep/mpi/gpu_aware.hpp>

bool mpi_communicator_alone(upsweep::mpi::communicator const& comm) {
  return upsweep::mpi::gpu_aware(comm RIGHT_OR_WRONG(COMMA snippet::space(), ));
}
