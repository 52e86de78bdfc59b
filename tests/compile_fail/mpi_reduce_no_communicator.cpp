// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: upsweep::mpi::reduce: the first two arguments are an upsweep::mpi::communicator and a value, or work
// Lines: 40

#include "snippet.hpp"

#include <upsweep/mpi/reduce.hpp>

void mpi_reduce_no_communicator([[maybe_unused]] upsweep::mpi::communicator const& comm) {
  upsweep::mpi::reduce(RIGHT_OR_WRONG(comm COMMA, ) 2.0, upsweep::max<>{});
}
