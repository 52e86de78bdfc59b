// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace nbody {

/// Three standard normal numbers that depend on seed and id alone.
std::array<double, 3> normal_numbers(std::uint64_t seed, std::int64_t id);

/// A sum whose bits depend neither on the order nor on the ranks' shares: numbers below 1024 in size are rounded to
/// multiples of 2^-50, which makes integers of at most 60 bits, and added in 128 bits. So 2^66 numbers fit, more than
/// particle ids can name; the sum over ranks goes in four parts of 32 bits, of which 2^31 ranks fit into 64 bits.
class exact_sum {
 public:
  /// Pre: |x| < 1024. Adds x as often as `times` says.
  void add(double x, std::int64_t times = 1);
  /// The sum over all ranks, rounded once. Collective.
  double over(upsweep::mpi::communicator const& comm) const;

 private:
  __extension__ typedef __int128 wide;  // nvcc knows this form only
  wide sum_ = 0;                        // of multiples of 2^-50
};

/// Fills `velocities` (three numbers a particle) of particles first, first + 1, ... of n: Maxwell's distribution, total
/// momentum zero, temperature (3n-3 degrees of freedom) as given. masses: above 0, of the same particles. The same bits
/// on any number of ranks. Collective. Throws: input_error, on all ranks, where masses differ by more than 1e100.
void maxwell_velocities(upsweep::mpi::communicator const& comm, std::uint64_t seed, double temperature,
                        std::int64_t first, std::int64_t n, std::span<double const> masses,
                        std::span<double> velocities);

}  // namespace nbody
