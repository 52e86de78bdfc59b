// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace nbody {

/// Three standard normal numbers that depend on seed and id alone.
std::array<double, 3> normal_numbers(std::uint64_t seed, std::int64_t id);

/// A sum whose bits depend neither on the order nor on the ranks' shares: numbers below 1024 in size are rounded to
/// multiples of 2^-50 and added as integers.
class exact_sum {
 public:
  void add(double x);
  /// The sum over all ranks. Pre: at most 2^31 numbers in all. Collective.
  double over(upsweep::mpi::communicator const& comm) const;

 private:
  std::int64_t high_ = 0, low_ = 0;  // of 2^-18 and of 2^-50
};

/// Velocities of particles first, first + 1, ... of n, all of mass 1: Maxwell's distribution, total momentum zero,
/// temperature (3n-3 degrees of freedom) as given. The same bits on any number of ranks. Collective.
std::vector<double> maxwell_velocities(upsweep::mpi::communicator const& comm, std::uint64_t seed, double temperature,
                                       std::int64_t first, std::int64_t last, std::int64_t n);

}  // namespace nbody
