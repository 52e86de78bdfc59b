// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "shared_folder.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>
#include <upsweep/io/lammps_data.hpp>
#include <upsweep/io/mpi/lammps_data.hpp>

#include <algorithm>

namespace {

constexpr char const* shipped = UPSWEEP_SOURCE_DIR "/data/lj32000_step0.data.gz";

TEST(read_lammps_data, every_rank_gets_its_range) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  auto const whole = upsweep::read_lammps_data(shipped);
  auto const piece = upsweep::mpi::read_lammps_data(comm, shipped);
  auto const range = upsweep::mpi::even_range(32000, comm.rank(), comm.size());
  ASSERT_EQ(piece.total, 32000);
  ASSERT_EQ(piece.first, range.first);
  ASSERT_EQ(piece.data.size(), static_cast<std::size_t>(range.last - range.first));
  EXPECT_EQ(piece.data.hi, whole.hi);
  EXPECT_EQ(piece.data.masses, whole.masses);
  auto const same = [&](auto const& mine, auto const& all, std::ptrdiff_t width) {
    return std::equal(mine.begin(), mine.end(), all.begin() + width * piece.first);
  };
  EXPECT_TRUE(same(piece.data.ids, whole.ids, 1));
  EXPECT_TRUE(same(piece.data.types, whole.types, 1));
  EXPECT_TRUE(same(piece.data.positions, whole.positions, 3));
  EXPECT_TRUE(same(piece.data.velocities, whole.velocities, 3));
  EXPECT_TRUE(same(piece.data.image_flags, whole.image_flags, 3));
}

TEST(read_lammps_data, every_rank_knows_the_tilt) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  auto const piece = upsweep::mpi::read_lammps_data(comm, UPSWEEP_SOURCE_DIR "/tests/data/agreement/quartz.data");
  EXPECT_EQ(piece.data.tilt, (std::array<double, 3>{-2.4567, 0, 0}));
}

/// Particles of rank 0; the others give nothing.
upsweep::particle_data five_particles(int rank) {
  upsweep::particle_data data;
  if (rank != 0) return data;
  data.hi = {1, 1, 1};
  data.ids = {1, 2, 3, 4, 5};
  data.types.assign(5, 1);
  data.positions.assign(15, 0.5);
  data.velocities.assign(15, 2.0);
  data.image_flags.assign(15, 3);
  return data;
}

TEST(scatter_particles, empty_velocities_and_image_flags_are_zero) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  for (bool const velocities : {false, true}) {
    auto data = five_particles(comm.rank());
    if (velocities) data.image_flags.clear();
    else data.velocities.clear();
    auto const piece = upsweep::mpi::scatter_particles(comm, data);
    auto const n = static_cast<std::size_t>(3) * piece.data.size();
    EXPECT_EQ(piece.data.velocities, std::vector<double>(n, velocities ? 2.0 : 0.0));
    EXPECT_EQ(piece.data.image_flags, std::vector<std::int32_t>(n, velocities ? 0 : 3));
    EXPECT_EQ(piece.data.positions, std::vector<double>(n, 0.5));
  }
}

/// Seven particles of rank 0 in a chain, with all that a file may have.
upsweep::particle_data chain(int rank) {
  upsweep::particle_data data;
  if (rank != 0) return data;
  data.hi = {1, 1, 1};
  data.periodic = {true, false, true};
  for (int i = 0; i < 7; ++i) {
    data.ids.push_back(i + 1);
    data.particle_masses.push_back(3 + i);
    data.charges.push_back(0.5 * i);
    data.radii.push_back(1 + i);
    data.molecules.push_back(100 + i);
  }
  data.types.assign(7, 1);
  data.positions.assign(21, 0.5);
  data.bonds = {6, 0, 5, 6, 0, 1, 3, 2, 6, 1};
  data.bond_types = {9, 8, 7, 6, 5};
  data.skipped = {"Angles", "Pair Coeffs"};
  return data;
}

TEST(scatter_particles, masses_charges_radii_molecules_bonds_open_directions_and_what_was_skipped) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  auto const piece = upsweep::mpi::scatter_particles(comm, chain(comm.rank()));
  auto const whole = chain(0);
  upsweep::particle_data expected;
  for (auto i = static_cast<std::size_t>(piece.first); i < static_cast<std::size_t>(piece.first) + piece.data.size();
       ++i) {
    expected.particle_masses.push_back(whole.particle_masses[i]);
    expected.charges.push_back(whole.charges[i]);
    expected.radii.push_back(whole.radii[i]);
    expected.molecules.push_back(whole.molecules[i]);
  }
  for (std::size_t k = 0; k < whole.bond_types.size(); ++k) {
    auto const at = whole.bonds[2 * k] - piece.first;
    if (at < 0 || at >= static_cast<std::int64_t>(piece.data.size())) continue;
    expected.bonds.insert(expected.bonds.end(), {whole.bonds[2 * k], whole.bonds[2 * k + 1]});
    expected.bond_types.push_back(whole.bond_types[k]);
  }
  EXPECT_EQ(piece.data.particle_masses, expected.particle_masses);
  EXPECT_EQ(piece.data.charges, expected.charges);
  EXPECT_EQ(piece.data.radii, expected.radii);
  EXPECT_EQ(piece.data.molecules, expected.molecules);
  EXPECT_EQ(piece.data.bonds, expected.bonds);
  EXPECT_EQ(piece.data.bond_types, expected.bond_types);
  EXPECT_EQ(piece.data.skipped, whole.skipped);
  EXPECT_EQ(piece.data.periodic, whole.periodic);
}

TEST(scatter_particles, what_is_not_there_is_on_no_rank) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  auto data = chain(comm.rank());
  data.charges.clear();
  data.molecules.clear();
  data.bonds.clear();
  data.bond_types.clear();
  data.skipped.clear();
  auto const piece = upsweep::mpi::scatter_particles(comm, data);
  EXPECT_TRUE(piece.data.charges.empty());
  EXPECT_TRUE(piece.data.molecules.empty());
  EXPECT_TRUE(piece.data.bonds.empty());
  EXPECT_TRUE(piece.data.skipped.empty());
  EXPECT_EQ(piece.data.radii.size(), piece.data.size());
}

TEST(scatter_particles, arrays_of_the_wrong_length_are_refused_on_all_ranks) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  auto const refused = [&](auto const& damage, std::string const& expected) {
    auto data = five_particles(comm.rank());
    if (comm.rank() == 0) damage(data);
    try {
      upsweep::mpi::scatter_particles(comm, data);
      ADD_FAILURE() << "no error";
    } catch (upsweep::precondition_error const& e) {
      EXPECT_EQ(e.what(), "rank 0: mpi::scatter_particles: " + expected);
    }
  };
  refused([](auto& d) { d.velocities.pop_back(); }, "velocities has 14 values, 5 ids need 15 or none");
  refused([](auto& d) { d.image_flags.resize(5); }, "image_flags has 5 values, 5 ids need 15 or none");
  refused([](auto& d) { d.types.clear(); }, "types has 0 values, 5 ids need 5");
  refused([](auto& d) { d.positions.resize(16); }, "positions has 16 values, 5 ids need 15");
  refused([](auto& d) { d.charges.resize(4); }, "charges has 4 values, 5 ids need 5 or none");
  refused([](auto& d) { d.bonds = {0, 1}; }, "bonds has 2 values, 0 bond_types need two each");
  refused([](auto& d) { d.bonds = {0, 1, 5, 2}, d.bond_types = {1, 1}; }, "bond 1 joins particle 5 of 5");
  refused([](auto& d) { d.bonds = {0, -1}, d.bond_types = {1}; }, "bond 0 joins particle -1 of 5");
}

TEST(read_lammps_data, the_argument_is_the_style_on_all_ranks) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  if (comm.rank() == 0)
    std::ofstream(folder / "a.data") << "t\n1 atoms\n1 bonds\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n"
                                        "Atoms\n\n1 1 -0.5 .1 .2 .3\n";
  auto const piece = upsweep::mpi::read_lammps_data(comm, folder / "a.data", {.atom_style = "charge"});
  EXPECT_EQ(piece.data.charges, std::vector<double>(piece.data.size(), -0.5));
  EXPECT_THROW(upsweep::mpi::read_lammps_data(comm, folder / "a.data", {.atom_style = "moon"}), upsweep::input_error);
}

TEST(read_lammps_data, errors_on_all_ranks) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  EXPECT_THROW(upsweep::mpi::read_lammps_data(comm, folder / "missing"), upsweep::input_error);
  if (comm.rank() == 0) std::ofstream(folder / "bad") << "title\n2 atoms\nbad line\n";
  try {
    upsweep::mpi::read_lammps_data(comm, folder / "bad");
    ADD_FAILURE() << "no error";
  } catch (upsweep::input_error const& e) {
    EXPECT_NE(std::string(e.what()).find("bad:3: "), std::string::npos) << e.what();
  }
}

}  // namespace
