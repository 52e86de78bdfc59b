// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: upsweep::mpi::sort_by_key: .* an upsweep::mpi::communicator and an execution-space instance
// Lines: 40

#include "snippet.hpp"

#include <upsweep/mpi/sort.hpp>

void mpi_order_of_arguments(upsweep::mpi::communicator const& comm, snippet::view<int*> keys,
                            snippet::view<int*> values) {
  upsweep::mpi::sort_by_key(RIGHT_OR_WRONG(comm, snippet::space()), RIGHT_OR_WRONG(snippet::space(), comm), keys,
                            values);
}
