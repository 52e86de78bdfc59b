// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>

#include <cstdint>
#include <cstring>
#include <string>

namespace upsweep::mpi {

rank_offset exclusive_offset(communicator const& comm, std::size_t n) {
  std::uint64_t const mine = n;
  std::byte* const all = detail::access::records(comm);
  check(comm, MPI_Allgather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, comm.get()), "MPI_Allgather");
  rank_offset result{0, 0};
  for (int r = 0; r < comm.size(); ++r) {
    if (r == comm.rank()) result.offset = result.total;
    std::uint64_t count = 0;
    std::memcpy(&count, all + static_cast<std::size_t>(r) * sizeof(count), sizeof(count));
    std::uint64_t const sum = result.total + count;
    if (sum < result.total)
      throw overflow_error("mpi::exclusive_offset: the sum of ranks 0 to " + std::to_string(r) +
                           " does not fit in 64 bits");
    result.total = sum;
  }
  return result;
}

}  // namespace upsweep::mpi
