// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/forces/forces.hpp"
#include "../../apps/nbody/forces/half_forces.hpp"
#include "../../apps/nbody/decomposition/neighbors.hpp"
#include "../../apps/nbody/phases.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace {

/// Every rank makes all particles and keeps its share.
nbody::atoms random_atoms(upsweep::mpi::communicator const& comm, upsweep::box<double> const& box, int n, unsigned seed,
                          bool two_at_one_place) {
  nbody::space_type const space;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> mine;
  std::vector<std::int64_t> ids;
  double last[3] = {};
  for (int i = 0; i < n; ++i) {
    bool const repeat = two_at_one_place && i == n / 2;
    for (int d = 0; d < 3; ++d)
      if (!repeat) last[d] = box.lo(d) + uniform(random) * box.length(d);
    if (i % comm.size() != comm.rank()) continue;
    ids.push_back(i);
    mine.insert(mine.end(), last, last + 3);
  }
  nbody::atoms a;
  a.positions = nbody::make<nbody::vectors>(space, "positions", ids.size());
  a.velocities = nbody::make<nbody::vectors>(space, "velocities", ids.size());
  a.masses = nbody::make<nbody::scalars>(space, "masses", ids.size());
  a.ids = nbody::make<nbody::id_view>(space, "ids", ids.size());
  a.types = nbody::make<nbody::type_view>(space, "types", ids.size());
  a.edges = nbody::make<nbody::crossing_view>(space, "edges", ids.size());
  auto const positions = Kokkos::create_mirror_view(a.positions);
  auto const id_values = Kokkos::create_mirror_view(a.ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    id_values(i) = ids[i];
    for (std::size_t d = 0; d < 3; ++d) positions(i, d) = mine[3 * i + d];
  }
  Kokkos::deep_copy(a.positions, positions);
  Kokkos::deep_copy(a.ids, id_values);
  Kokkos::deep_copy(a.velocities, 0.0);
  Kokkos::deep_copy(a.masses, 1.0);
  Kokkos::deep_copy(a.types, 1);
  Kokkos::deep_copy(a.edges, 0);
  return a;
}

/// Sizes of forces, rounded down to powers of two, of all components that are numbers.
std::set<int> expect_same_forces(upsweep::mpi::communicator const& comm, upsweep::mpi::domain<double> const& parts,
                                 unsigned seed, bool two_at_one_place) {
  nbody::space_type const space;
  nbody::phase_clock clock(space);
  nbody::lennard_jones const pair{1.5 * 1.5};
  nbody::neighborhood full(comm, space, parts, 1.7, false), half(comm, space, parts, 1.7, true);
  auto a = random_atoms(comm, parts.box(), 900, seed, two_at_one_place), b = a;
  full.rebuild(a, clock);
  half.rebuild(b, clock);
  EXPECT_EQ(a.size(), b.size());
  auto const expected = nbody::make<nbody::vectors>(space, "full", a.size());
  auto const forces = nbody::make<nbody::vectors>(space, "half", a.size());
  nbody::half_forces by_half;
  by_half.reserve(space, half);
  std::set<int> sizes;
  std::int64_t none = 0, all_none = 0;
  for (int step = 0; step < 2; ++step) {
    nbody::compute_forces(space, full.rows(), full.positions(), pair, expected);
    by_half.compute(comm, space, half, pair, forces);
    space.fence();
    auto const x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, expected);
    auto const y = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, forces);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d) {
        none += std::isnan(x(i, d));
        if (std::isnan(x(i, d))) EXPECT_TRUE(std::isnan(y(i, d)));
        else EXPECT_EQ(std::bit_cast<std::uint64_t>(x(i, d)), std::bit_cast<std::uint64_t>(y(i, d)));
        if (std::isfinite(x(i, d)) && x(i, d) != 0) sizes.insert(std::ilogb(x(i, d)));
      }
    // Out of the box, too, as particles go between rebuilds.
    auto const moved = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, a.positions);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d) moved(i, d) += 0.05 * std::sin(static_cast<double>(3 * i + d));
    Kokkos::deep_copy(a.positions, moved);
    Kokkos::deep_copy(b.positions, moved);
    full.update_positions(a);
    half.update_positions(b);
  }
  MPI_Allreduce(&none, &all_none, 1, MPI_INT64_T, MPI_SUM, comm.get());
  EXPECT_EQ(all_none, two_at_one_place ? 6 : 0);
  return sizes;
}

}  // namespace

// Random particles are so near to each other that forces are on grids of many sizes.
TEST(half_forces, have_the_bits_of_full_lists) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  upsweep::mpi::domain<double> const parts(comm, upsweep::box<double>({-1.1, 0.3, 2}, {8.2, 9.6, 11.7}));
  for (unsigned seed = 0; seed < 3; ++seed) {
    auto const sizes = expect_same_forces(comm, parts, seed, false);
    EXPECT_GT(*sizes.rbegin(), 14) << "forces beyond the finest grid";
    EXPECT_LT(*sizes.begin(), 11) << "forces on the finest grid";
  }
}

TEST(half_forces, have_them_in_a_box_thinner_than_the_cutoff) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  upsweep::mpi::domain<double> const parts(comm, upsweep::box<double>({0, 0, 0}, {1.3, 30.1, 21.7}));
  expect_same_forces(comm, parts, 3, false);
}

TEST(half_forces, are_no_numbers_where_two_particles_are_at_one_place) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  upsweep::mpi::domain<double> const parts(comm, upsweep::box<double>({0, 0, 0}, {9, 9, 9}));
  expect_same_forces(comm, parts, 4, true);
}
