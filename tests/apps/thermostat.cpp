// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/dynamics/thermostat.hpp"

#include "../../apps/nbody/dynamics/noise.hpp"
#include "../../apps/nbody/start/start.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/monoid.hpp>
#include <upsweep/mpi/reduce.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>

namespace {

TEST(noise, logarithm_and_turn_are_those_of_the_library_within_roundings) {
  double log_error = 0, turn_error = 0;
  for (std::uint64_t k = 0; k < 200000; ++k) {
    double const u = nbody::uniform_number(apps::splitmix(k));
    ASSERT_TRUE(u > 0 && u <= 1);
    double const expected = std::log(u);
    log_error = std::max(log_error, std::abs(nbody::portable_log(u) - expected) / std::max(1.0, -expected));
    auto const turn = nbody::portable_turn(u);
    double const angle = 2 * std::numbers::pi * u;
    turn_error = std::max({turn_error, std::abs(turn.cosine - std::cos(angle)), std::abs(turn.sine - std::sin(angle))});
  }
  EXPECT_LT(log_error, 4e-16);
  EXPECT_LT(turn_error, 2e-15);  // the library's angle is rounded
  EXPECT_EQ(nbody::portable_log(1), 0);
  EXPECT_NEAR(nbody::portable_log(0x1p-53), std::log(0x1p-53), 1e-14);
  for (int quarter = 0; quarter <= 4; ++quarter) {
    auto const turn = nbody::portable_turn(0.25 * quarter);
    EXPECT_EQ(turn.cosine, quarter % 2 == 1 ? 0 : quarter == 2 ? -1 : 1) << quarter;
    EXPECT_EQ(turn.sine, quarter % 2 == 0 ? 0 : quarter == 3 ? -1 : 1) << quarter;
  }
}

TEST(noise, exponential_is_that_of_the_library_within_roundings) {
  for (int k = 0; k <= 4000; ++k) {
    double const x = -0.001 * k, expected = std::exp(x);
    EXPECT_NEAR(nbody::portable_exp(x), expected, 2e-15 * expected) << x;
  }
  EXPECT_EQ(nbody::portable_exp(0), 1);
  EXPECT_NEAR(nbody::portable_exp(-700) / std::exp(-700), 1, 1e-12);
  EXPECT_EQ(nbody::portable_exp(-1e300), 0);
}

/// What compilers may or may not fuse. A GPU's host code, compiled without the instruction, had another last bit.
TEST(thermostat, langevin_has_these_bits) {
  EXPECT_EQ(nbody::portable_exp(-0.005), 0x1.fd7246927d28bp-1);
  EXPECT_EQ(nbody::langevin_noise(0x1.fd7246927d28bp-1, 1), 0x1.989400562e90ap-4);
}
TEST(thermostat, rescaling_has_these_bits) {
  EXPECT_EQ(nbody::rescaling_factor(0.9, 95997, 1.1 / 95997, nbody::noise_stream(1, 2, -1)), 0x1.014e38bb37828p+0);
  EXPECT_EQ(nbody::rescaling_factor(0.9, 1.5, 0.7, nbody::noise_stream(1, 3, -1)), 0x1.c39d039f92f89p-1);
}

/// The same bits with every compiler and on every machine.
TEST(noise, has_these_bits) {
  std::uint64_t hash = 0;
  double sums[4] = {};
  constexpr int n = 100000;
  for (int k = 0; k < n; ++k) {
    auto const two = nbody::normal_pair(nbody::noise_stream(1, k % 100, k / 100), 2 * (k % 2));
    for (double const x : {two.first, two.second}) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &x, sizeof(x));
      hash = apps::splitmix(hash ^ bits);
      for (int power = 1; power <= 4; ++power) sums[power - 1] += std::pow(x, power) / (2 * n);
    }
  }
  EXPECT_EQ(hash, 14849129299989972422u);
  EXPECT_NEAR(sums[0], 0, 0.01);
  EXPECT_NEAR(sums[1], 1, 0.015);
  EXPECT_NEAR(sums[2], 0, 0.03);
  EXPECT_NEAR(sums[3], 3, 0.1);
}

/// Mean and variance of the kinetic energy are those of the canonical distribution.
TEST(thermostat, rescaling_draws_canonical_energies) {
  for (double const freedom : {1.0, 2.0, 3.0, 30.0}) {
    for (double const kept : {0.1, 0.8}) {
      double const temperature = 0.7;
      double energy = 5, sum = 0, squares = 0;
      constexpr int n = 40000;
      for (int k = 0; k < n + 100; ++k) {
        double const factor = nbody::rescaling_factor(kept, freedom, temperature / (2 * energy), apps::splitmix(k));
        energy *= factor * factor;
        if (k < 100) continue;
        sum += energy / n;
        squares += energy * energy / n;
      }
      double const mean = freedom * temperature / 2, variance = mean * temperature;
      double const independent = n * (1 - kept) / (1 + kept);
      EXPECT_NEAR(sum, mean, 5 * std::sqrt(variance / independent)) << freedom << " " << kept;
      EXPECT_NEAR(squares - sum * sum, variance, 0.12 * variance) << freedom << " " << kept;
    }
  }
}

/// Free particles of mass 4: velocities have the variance T / m, and positions diffuse with D = T time / m.
TEST(thermostat, langevin_keeps_the_temperature_of_free_particles) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  nbody::space_type const space;
  nbody::options o;
  o.cells = {10, 10, 10};
  o.temperature = 3;
  o.dt = 0.05;
  o.thermostat = "langevin";
  o.thermostat_temperature = 0.6;
  o.thermostat_time = 0.5;
  auto const piece = nbody::make_fcc(comm, space, o);
  auto const a = nbody::to_device(space, piece);
  Kokkos::deep_copy(a.masses, 4.0);
  auto const forces = nbody::make<nbody::vectors>(space, "forces", a.size());
  Kokkos::deep_copy(forces, 0.0);
  nbody::thermostat const keep(comm, space, o, piece.total);
  auto const mean_square = [&](nbody::vectors const& view, std::vector<double> const& from) {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view);
    double sum = 0;
    for (std::size_t k = 0; k < host.size(); ++k) {
      double const x = host.data()[k] - (from.empty() ? 0 : from[k]);
      sum += x * x;
    }
    return upsweep::mpi::reduce(comm, sum, upsweep::plus<double>{}) / (3 * static_cast<double>(piece.total));
  };
  auto const moved = nbody::make_positions(space, a.size());
  auto const move = [&](int step) { keep.kick_and_drift(a, forces, step, nbody::velocity_state::complete, moved); };
  for (int step = 1; step <= 400; ++step) move(step);
  space.fence();
  EXPECT_NEAR(mean_square(a.velocities, {}), 0.6 / 4, 0.01);
  auto const positions = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, a.positions);
  std::vector<double> const from(positions.data(), positions.data() + positions.size());
  for (int step = 401; step <= 1200; ++step) move(step);
  space.fence();
  // 2 D t, less what the memory of velocities costs at the start.
  double const t = 800 * o.dt, diffusion = 0.6 * 0.5 / 4;
  EXPECT_NEAR(mean_square(a.positions, from), 2 * diffusion * (t - o.thermostat_time), 0.15);
}

}  // namespace
