// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "maxwell.hpp"

#include "../text.hpp"
#include "noise.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/mpi/reduce.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace nbody {

std::array<double, 3> normal_numbers(std::uint64_t seed, std::int64_t id) {
  std::uint64_t const stream = apps::splitmix(apps::splitmix(seed) ^ static_cast<std::uint64_t>(id));
  std::array<double, 4> u{};
  for (std::uint64_t k = 0; k < 4; ++k) u[k] = uniform_number(apps::splitmix(stream + k));
  // Box and Muller: two uniform numbers make two normal ones; the fourth is not needed.
  double const a = std::sqrt(-2 * std::log(u[0])), b = std::sqrt(-2 * std::log(u[2]));
  double const angle = 2 * std::numbers::pi * u[1];
  return {a * std::cos(angle), a * std::sin(angle), b * std::cos(2 * std::numbers::pi * u[3])};
}

void exact_sum::add(double x, std::int64_t times) { sum_ += static_cast<wide>(std::llrint(x * 0x1p50)) * times; }

double exact_sum::over(upsweep::mpi::communicator const& comm) const {
  constexpr int parts = 4, bits = 32;
  std::int64_t mine[parts], all[parts] = {};
  // The last part has the sign, the others are not negative.
  for (int k = 0; k < parts; ++k) {
    wide const rest = sum_ >> (bits * k);
    mine[k] = static_cast<std::int64_t>(k + 1 < parts ? rest & 0xffffffff : rest);
  }
  upsweep::mpi::check(comm, MPI_Allreduce(mine, all, parts, MPI_INT64_T, MPI_SUM, comm.get()), "MPI_Allreduce");
  wide total = 0;
  for (int k = 0; k < parts; ++k) total += static_cast<wide>(all[k]) * (static_cast<wide>(1) << (bits * k));
  return std::ldexp(static_cast<double>(total), -50);
}

void maxwell_velocities(upsweep::mpi::communicator const& comm, std::uint64_t seed, double temperature,
                        std::int64_t first, std::int64_t n, std::span<double const> masses,
                        std::span<double> velocities) {
  // In units of the largest mass no number is too large for the exact sums.
  double const unit = upsweep::mpi::reduce(
      comm, [&] { return masses.empty() ? 0.0 : *std::max_element(masses.begin(), masses.end()); },
      upsweep::max<double>{});
  double const least = upsweep::mpi::reduce(
      comm, [&] { return masses.empty() ? unit : *std::min_element(masses.begin(), masses.end()); },
      upsweep::min<double>{});
  // A light particle is so much faster that the heavy ones' energies would be lost beside its own, or not be finite.
  if (least < 1e-100 * unit)
    throw upsweep::input_error("--temperature: " + text("masses from %g to %g", least, unit) +
                               " (expected a ratio of at most 1e100)");
  exact_sum total_mass;
  std::array<exact_sum, 3> momentum;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    double const mass = masses[i] / unit;
    auto const three = normal_numbers(seed, first + static_cast<std::int64_t>(i));
    total_mass.add(mass);
    for (std::size_t d = 0; d < 3; ++d) {
      velocities[3 * i + d] = three[d] / std::sqrt(mass);
      momentum[d].add(std::sqrt(mass) * three[d]);
    }
  }
  double const all_mass = total_mass.over(comm);
  std::array<double, 3> mean{};
  for (std::size_t d = 0; d < 3; ++d) mean[d] = momentum[d].over(comm) / all_mass;
  exact_sum squares;
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    velocities[i] -= mean[i % 3];
    squares.add(masses[i / 3] / unit * (velocities[i] * velocities[i]));
  }
  double const twice_kinetic = squares.over(comm) * unit;
  double const wanted = temperature * (3.0 * static_cast<double>(n) - 3.0);
  double const scale = twice_kinetic > 0 ? std::sqrt(wanted / twice_kinetic) : 0.0;
  for (double& v : velocities) v *= scale;
}

}  // namespace nbody
