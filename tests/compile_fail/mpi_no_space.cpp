// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Without its space this call has as many arguments as another form has, whose space would be the input.
// Expected: upsweep::mpi::exclusive_scan: .* an upsweep::mpi::communicator and an execution-space instance
// Lines: 40

#include "snippet.hpp"

#include <upsweep/mpi/exclusive_scan.hpp>

void mpi_no_space(upsweep::mpi::communicator const& comm, snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::mpi::exclusive_scan(comm, SNIPPET_SPACE in, out, 3, upsweep::max<>{});
}
