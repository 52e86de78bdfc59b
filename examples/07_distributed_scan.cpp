// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A scan over the elements of all ranks, and where each rank's part of a whole begins: mpiexec -n 2 07_distributed_scan

#include "example_mpi.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/exclusive_scan.hpp>
#include <upsweep/mpi/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpi = upsweep::mpi;

/// What all ranks have, one behind the other, on rank 0.
std::vector<int> gather(mpi::communicator const& comm, std::vector<int> const& mine) {
  int const n = static_cast<int>(mine.size());
  std::vector<int> counts(comm.size()), starts(comm.size() + 1);
  MPI_Gather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int r = 0; r < comm.size(); ++r) starts[r + 1] = starts[r] + counts[r];
  std::vector<int> all(starts.back());
  MPI_Gatherv(mine.data(), n, MPI_INT, all.data(), counts.data(), starts.data(), MPI_INT, 0, MPI_COMM_WORLD);
  return all;
}

void run() {
  mpi::communicator const comm(MPI_COMM_WORLD);
  Kokkos::DefaultExecutionSpace const space;

  // The numbers of the slides, of which every rank has a share. A rank may also have none.
  std::vector<int> const slides{4, 3, 7, 9, 2, 3};
  std::size_t const first = slides.size() * comm.rank() / comm.size();
  std::size_t const last = slides.size() * (comm.rank() + 1) / comm.size();
  auto const in = example::to_device(std::vector<int>(slides.begin() + first, slides.begin() + last));
  Kokkos::View<int*> const out("out", in.extent(0));
  mpi::exclusive_scan(comm, space, in, out);
  auto const sums = gather(comm, upsweep::to_host(space, out));
  if (comm.rank() == 0) example::expect("exclusive scan", sums, {0, 4, 7, 14, 23, 25});

  // One number of each rank: rank r has made 10 * (r + 1) records, and learns the number of its first one.
  auto const where = mpi::exclusive_offset(comm, 10 * (comm.rank() + 1));
  std::uint64_t const before = comm.rank(), ranks = comm.size();
  bool is_right = where.offset == 5 * before * (before + 1) && where.total == 5 * ranks * (ranks + 1);

  // Many elements: globally they are 1, 3, 5, ..., so the sum before number i is the square of i.
  auto const mine = static_cast<std::size_t>(100'000 + comm.rank());
  auto const begin = static_cast<std::int64_t>(mpi::exclusive_offset(comm, mine).offset);
  Kokkos::View<std::int64_t*> const squares("squares", mine);
  mpi::exclusive_scan(
      comm, space, KOKKOS_LAMBDA(std::size_t i) { return 2 * (begin + static_cast<std::int64_t>(i)) + 1; }, squares);
  auto const found = upsweep::to_host(space, squares);
  for (std::size_t i = 0; i < mine; ++i) {
    std::int64_t const global = begin + static_cast<std::int64_t>(i);
    is_right = is_right && found[i] == global * global;
  }
  bool const all_right = mpi::reduce(comm, is_right, upsweep::logical_and<>{});
  if (comm.rank() == 0) example::confirm("offsets and 100,000 sums on each rank are right", all_right);
}

int main(int argc, char** argv) { return example::run_on_ranks(argc, argv, run); }
