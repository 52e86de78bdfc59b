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

TEST(ReadLammpsData, EveryRankGetsItsRange) {
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

TEST(ReadLammpsData, EveryRankKnowsTheTilt) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  auto const piece = upsweep::mpi::read_lammps_data(comm, UPSWEEP_SOURCE_DIR "/tests/data/agreement/quartz.data");
  EXPECT_EQ(piece.data.tilt, (std::array<double, 3>{-2.4567, 0, 0}));
}

TEST(ReadLammpsData, ErrorsOnAllRanks) {
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
