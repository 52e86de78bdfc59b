// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// MPI's own collective calls of the sizes that Upsweep makes: what the cost model of docs/clusters.md is fitted to.

#include "measure.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf::ranks {
namespace {

constexpr int batch = 1000;

/// An agreement: the least of three numbers.
void allreduce(benchmark::State& state, mpi::communicator const& comm, std::size_t) {
  std::uint64_t const mine[3] = {static_cast<std::uint64_t>(comm.rank()) + 1, 7, ~std::uint64_t(7)};
  std::uint64_t least[3] = {};
  time_on_ranks(
      state, comm, space(), batch, sizeof(mine), [] {},
      [&] { mpi::check(comm, MPI_Allreduce(mine, least, 3, MPI_UINT64_T, MPI_MIN, comm.get()), "MPI_Allreduce"); },
      [&] { return least[0] == 1 && least[1] == ~least[2]; });
}

/// Five numbers to each rank, as migration announces what leaves.
void alltoall(benchmark::State& state, mpi::communicator const& comm, std::size_t) {
  constexpr int each = 5;
  auto const ranks = static_cast<std::size_t>(comm.size());
  std::vector<std::uint64_t> sent(each * ranks, static_cast<std::uint64_t>(comm.rank()) + 1), received(each * ranks);
  time_on_ranks(
      state, comm, space(), batch, 8.0 * static_cast<double>(sent.size()), [] {},
      [&] {
        mpi::check(comm, MPI_Alltoall(sent.data(), each, MPI_UINT64_T, received.data(), each, MPI_UINT64_T, comm.get()),
                   "MPI_Alltoall");
      },
      [&] {
        for (std::size_t k = 0; k < received.size(); ++k)
          if (received[k] != k / each + 1) return false;
        return true;
      });
}

}  // namespace

void add_collectives(session const& s) {
  auto const n = static_cast<std::size_t>(s.all.size());
  if (wanted(s, "allreduce")) add_on_all(s, by_mpi, "allreduce", "24_bytes", n, allreduce);
  if (wanted(s, "alltoall")) add_on_all(s, by_mpi, "alltoall", "40_bytes", n, alltoall);
}

}  // namespace perf::ranks
