// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/detail/agree_and_scan/sum_bins.hpp>

#include <algorithm>

namespace upsweep::mpi::detail {

void sum_on_ranks(communicator const& comm, std::uint64_t* numbers, std::size_t n) {
  constexpr std::size_t most = (std::size_t(1) << 30) / sizeof(std::uint64_t);
  for (std::size_t done = 0; done < n; done += most)
    check(comm,
          MPI_Allreduce(MPI_IN_PLACE, numbers + done, static_cast<int>(std::min(most, n - done)), MPI_UINT64_T, MPI_SUM,
                        comm.get()),
          "MPI_Allreduce");
}

}  // namespace upsweep::mpi::detail
