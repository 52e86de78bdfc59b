// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "maxwell.hpp"

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <numbers>

namespace nbody {
namespace {

/// splitmix64: a counter in, 64 good bits out.
std::uint64_t splitmix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// In (0, 1], 53 bits.
double uniform(std::uint64_t bits) { return static_cast<double>((bits >> 11) + 1) * 0x1p-53; }

}  // namespace

std::array<double, 3> normal_numbers(std::uint64_t seed, std::int64_t id) {
  std::uint64_t const stream = splitmix(splitmix(seed) ^ static_cast<std::uint64_t>(id));
  std::array<double, 4> u{};
  for (std::uint64_t k = 0; k < 4; ++k) u[k] = uniform(splitmix(stream + k));
  // Box and Muller: two uniform numbers make two normal ones; the fourth is not needed.
  double const a = std::sqrt(-2 * std::log(u[0])), b = std::sqrt(-2 * std::log(u[2]));
  double const angle = 2 * std::numbers::pi * u[1];
  return {a * std::cos(angle), a * std::sin(angle), b * std::cos(2 * std::numbers::pi * u[3])};
}

void exact_sum::add(double x) {
  auto const q = static_cast<std::int64_t>(std::llrint(x * 0x1p50));
  high_ += q >> 32;
  low_ += q & 0xffffffff;
}

double exact_sum::over(upsweep::mpi::communicator const& comm) const {
  std::int64_t const mine[2] = {high_, low_};
  std::int64_t all[2] = {};
  upsweep::mpi::check(MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, comm.get()), "MPI_Allreduce");
  return std::ldexp(static_cast<double>(all[0]), -18) + std::ldexp(static_cast<double>(all[1]), -50);
}

std::vector<double> maxwell_velocities(upsweep::mpi::communicator const& comm, std::uint64_t seed, double temperature,
                                       std::int64_t first, std::int64_t last, std::int64_t n) {
  std::vector<double> v(static_cast<std::size_t>(3 * (last - first)));
  std::array<exact_sum, 3> momentum;
  for (std::int64_t id = first; id < last; ++id) {
    auto const three = normal_numbers(seed, id);
    for (std::size_t d = 0; d < 3; ++d) {
      v[3 * static_cast<std::size_t>(id - first) + d] = three[d];
      momentum[d].add(three[d]);
    }
  }
  std::array<double, 3> mean{};
  for (std::size_t d = 0; d < 3; ++d) mean[d] = momentum[d].over(comm) / static_cast<double>(n);
  exact_sum squares;
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] -= mean[i % 3];
    squares.add(v[i] * v[i]);
  }
  double const twice_kinetic = squares.over(comm);
  double const wanted = temperature * (3.0 * static_cast<double>(n) - 3.0);
  double const scale = twice_kinetic > 0 ? std::sqrt(wanted / twice_kinetic) : 0.0;
  for (double& x : v) x *= scale;
  return v;
}

}  // namespace nbody
