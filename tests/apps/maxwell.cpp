// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/dynamics/maxwell.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

/// With three numbers a particle, sums of 64 bits overflowed from 7e8 particles on.
TEST(exact_sum, numbers_of_more_particles_than_memory_holds) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  double const most = 1024 - 0x1p-43, ranks = comm.size();
  for (double const x : {1.5, -1.5, most, -most, 0x1p-50, -0x1p-50})
    for (int const log2_times : {31, 32, 33, 40, 53, 62}) {
      nbody::exact_sum sum;
      sum.add(x, std::int64_t(1) << log2_times);
      EXPECT_EQ(sum.over(comm), std::ldexp(x, log2_times) * ranks) << x << " 2^" << log2_times;
    }
  // Large numbers that cancel, of which one small one is left.
  nbody::exact_sum sum;
  std::int64_t const times = std::int64_t(1) << 62;
  for (int k = 0; k < 3; ++k) sum.add(most, times);
  sum.add(0x1p-50);
  for (int k = 0; k < 3; ++k) sum.add(-most, times);
  EXPECT_EQ(sum.over(comm), 0x1p-50 * ranks);
}

TEST(exact_sum, neither_order_nor_shares_matter) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  std::mt19937 random(1);  // the same numbers on all ranks
  std::normal_distribution<double> normal;
  std::vector<double> numbers(3000);
  for (double& x : numbers) x = normal(random);
  auto const share = [&](std::size_t first, std::size_t step) {
    nbody::exact_sum sum;
    for (std::size_t i = first; i < numbers.size(); i += step) sum.add(numbers[numbers.size() - 1 - i]);
    return sum.over(comm);
  };
  auto const rank = static_cast<std::size_t>(comm.rank()), size = static_cast<std::size_t>(comm.size());
  double const shared = share(rank, size), alone = share(rank == 0 ? 0 : numbers.size(), 1);
  EXPECT_EQ(shared, alone);
}

}  // namespace
