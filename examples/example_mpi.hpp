// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What main() of the examples on several ranks does.

#include "example.hpp"

#include <mpi.h>

namespace example {

/// Calls run() on all ranks, between the starts and ends of MPI and Kokkos. All ranks get the same exit code.
inline int run_on_ranks(int argc, char** argv, void (*run)()) {
  MPI_Init(&argc, &argv);
  {
    Kokkos::ScopeGuard const guard(argc, argv);
    run();
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return exit_code();
}

}  // namespace example
