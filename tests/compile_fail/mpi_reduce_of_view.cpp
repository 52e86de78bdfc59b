// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Ranks combine what each of them has reduced.
// Expected: upsweep::mpi::reduce: the first two arguments are an upsweep::mpi::communicator and a value, or work
// Lines: 40

#include "snippet.hpp"

#include <upsweep/mpi/reduce.hpp>
#include <upsweep/scan/reduce.hpp>

void mpi_reduce_of_view(upsweep::mpi::communicator const& comm, snippet::view<int*> in) {
  upsweep::mpi::reduce(comm, RIGHT_OR_WRONG(upsweep::reduce(snippet::space() COMMA in), snippet::space() COMMA in));
}
