// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/rows/count_on_ranks.hpp>

#include <cstring>
#include <string>

namespace upsweep::mpi::detail {

void sum_counts(gathered_states const& all, communicator const& comm, std::size_t n, rank_count* sums,
                char const* function) {
  for (std::size_t k = 0; k < n; ++k) {
    sums[k] = {};
    for (int r = 0; r < comm.size(); ++r) {
      std::uint64_t count = 0;
      std::memcpy(&count, all.first + static_cast<std::size_t>(r) * all.stride + k * sizeof(count), sizeof(count));
      if (r == comm.rank()) sums[k].count = count;
      if (r == comm.rank()) sums[k].offset = sums[k].total;
      if (sums[k].total + count < count)
        throw overflow_error(std::string(function) + ": the sum of ranks 0 to " + std::to_string(r) +
                             " does not fit in 64 bits");
      sums[k].total += count;
    }
  }
}

}  // namespace upsweep::mpi::detail
