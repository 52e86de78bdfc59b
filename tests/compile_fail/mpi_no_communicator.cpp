// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: upsweep::mpi::exclusive_scan: .* an upsweep::mpi::communicator and an execution-space instance
// Lines: 40

#include "snippet.hpp"

#include <upsweep/mpi/exclusive_scan.hpp>

void mpi_no_communicator([[maybe_unused]] upsweep::mpi::communicator const& comm, snippet::view<int*> in,
                         snippet::view<int*> out) {
  upsweep::mpi::exclusive_scan(RIGHT_OR_WRONG(comm COMMA, ) snippet::space(), in, out, 3, upsweep::max<>{});
}
