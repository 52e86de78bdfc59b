// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/dynamics/integrator.hpp"

#include "../../apps/nbody/dynamics/thermostat.hpp"
#include "../../apps/nbody/start/start.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using nbody::velocity_state;

/// Particles of a crystal, with forces, masses and types of many values.
struct moving {
  nbody::space_type space;
  nbody::options options;
  nbody::atoms a;
  nbody::vectors forces;
  nbody::neighbor_positions moved;
  std::int64_t total = 0;

  moving(upsweep::mpi::communicator const& comm, std::string const& thermostat) {
    options.cells = {3, 4, 5};
    options.thermostat = thermostat;
    auto const piece = nbody::make_fcc(comm, space, options);
    total = piece.total;
    a = nbody::to_device(space, piece);
    forces = nbody::make<nbody::vectors>(space, "forces", a.size());
    moved = nbody::make_positions(space, a.size());
    auto const f = Kokkos::create_mirror_view(forces);
    auto const m = Kokkos::create_mirror_view(a.masses);
    auto const t = Kokkos::create_mirror_view(a.types);
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t d = 0; d < 3; ++d) f(i, d) = 1.0 / static_cast<double>(1 + 3 * i + d) - 0.01;
      m(i) = 1.0 + static_cast<double>(i % 7) / 3;
      t(i) = static_cast<std::int32_t>(1 + i % 5);
    }
    Kokkos::deep_copy(forces, f);
    Kokkos::deep_copy(a.masses, m);
    Kokkos::deep_copy(a.types, t);
    space.fence();
  }
  nbody::thermostat made(upsweep::mpi::communicator const& comm) const { return {comm, space, options, total}; }
};

template <class View>
std::vector<double> values(View const& view) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view);
  return {host.data(), host.data() + host.size()};
}

class integrator : public testing::TestWithParam<std::string> {};

TEST_P(integrator, half_kick_that_is_owed_has_the_bits_of_one_that_is_not) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  moving one(comm, GetParam()), two(comm, GetParam());
  auto const of_one = one.made(comm), of_two = two.made(comm);
  for (int step = 1; step <= 5; ++step) {
    of_one.kick_and_drift(one.a, one.forces, step, velocity_state::complete, one.moved);
    nbody::kick(one.space, one.a, one.forces, one.options.dt);
    of_two.kick_and_drift(two.a, two.forces, step,
                          step == 1 ? velocity_state::complete : velocity_state::owes_half_kick, two.moved);
    EXPECT_EQ(values(one.a.positions), values(two.a.positions));
    EXPECT_EQ(one.a.size() == 0, values(one.a.velocities) == values(two.a.velocities));
  }
  nbody::kick(two.space, two.a, two.forces, two.options.dt);
  EXPECT_EQ(values(one.a.velocities), values(two.a.velocities));
}

TEST_P(integrator, force_loop_reads_new_positions_and_types) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  moving of(comm, GetParam());
  auto const before = values(of.a.positions);
  Kokkos::deep_copy(of.moved.rows, -1.0);
  of.made(comm).kick_and_drift(of.a, of.forces, 1, velocity_state::complete, of.moved);
  auto const positions = values(of.a.positions), moved = values(of.moved.rows);
  for (std::size_t i = 0; i < of.a.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_NE(positions[3 * i + d], before[3 * i + d]);
      EXPECT_EQ(moved[4 * i + d], positions[3 * i + d]);
    }
    EXPECT_EQ(moved[4 * i + 3], static_cast<double>(i % 5));
  }
}

INSTANTIATE_TEST_SUITE_P(thermostats, integrator, testing::Values("none", "langevin"));

}  // namespace
