// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/fingerprint.hpp>

#include <string>

namespace upsweep::mpi::detail {

void require_same(communicator const& comm, fingerprint const& mine, char const* function, char const* what) {
  // The largest value and the largest complement: the same hash everywhere exactly when they are complements.
  std::uint64_t const give[2] = {mine.get(), ~mine.get()};
  std::uint64_t largest[2] = {};
  check(MPI_Allreduce(give, largest, 2, MPI_UINT64_T, MPI_MAX, comm.get()), "MPI_Allreduce");
  require(largest[0] == ~largest[1], function, std::string(what) + " must be the same on all ranks, and differs");
}

}  // namespace upsweep::mpi::detail
