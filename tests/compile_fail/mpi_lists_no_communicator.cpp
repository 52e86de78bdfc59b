// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The caller names a type, and uses the result.
// Expected: upsweep::mpi::pack_lists: .* an upsweep::mpi::communicator and an execution-space instance
// Lines: 40

#include "snippet.hpp"

#include <upsweep/mpi/pack_lists.hpp>

struct packer_on_ranks {
  KOKKOS_FUNCTION void operator()(std::size_t, upsweep::emitter<int> const&) const {}
};
void mpi_lists_no_communicator([[maybe_unused]] upsweep::mpi::communicator const& comm) {
  auto const lists =
      upsweep::mpi::pack_lists<int>(RIGHT_OR_WRONG(comm, MPI_COMM_WORLD), snippet::space(), 10, packer_on_ranks{});
  static_cast<void>(lists);
}
