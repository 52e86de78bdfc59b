// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "campaign.hpp"

#include "../io_mpi/shared_folder.hpp"

#include <upsweep/io/mpi/lammps_data.hpp>
#include <upsweep/io/mpi/npy_file.hpp>

#include <filesystem>
#include <fstream>
#include <span>

using namespace testing_mpi;
using namespace testing_faults;
namespace mpi = upsweep::mpi;

namespace {

struct reading {
  std::filesystem::path path;
  mpi::particle_piece piece{};
  void run() { piece = mpi::read_lammps_data(world(), path); }
  void check() const {
    EXPECT_EQ(piece.total, 4);
    EXPECT_EQ(piece.data.positions.size(), 3 * piece.data.size());
    EXPECT_EQ(piece.data.masses, std::vector<double>{1.5});
    EXPECT_EQ(piece.data.charges.size(), piece.data.size());
    EXPECT_EQ(piece.data.skipped, std::vector<std::string>{"Bond Coeffs"});
  }
};

struct scattering {
  upsweep::particle_data whole;
  mpi::particle_piece piece{};
  scattering() {
    if (world().rank() != 0) return;
    whole.ids = {1, 2, 3, 4};
    whole.types.assign(4, 1);
    whole.positions.assign(12, 0.5);
    whole.radii.assign(4, 2.0);
    whole.bonds = {0, 1, 3, 2};
    whole.bond_types = {1, 2};
    whole.skipped = {"a name that is longer than a short string of the library"};
  }
  void run() { piece = mpi::scatter_particles(world(), whole); }
  void check() const {
    EXPECT_EQ(piece.total, 4);
    EXPECT_EQ(piece.data.velocities, std::vector<double>(3 * piece.data.size(), 0.0));
    EXPECT_EQ(piece.data.radii, std::vector<double>(piece.data.size(), 2.0));
    EXPECT_EQ(piece.data.bonds.size(), 2 * piece.data.bond_types.size());
    EXPECT_EQ(piece.data.skipped.size(), 1u);
  }
};

/// Three rows of each rank, from host memory, or from a View whose elements do not lie in C order.
template <bool OfView>
struct writing {
  std::filesystem::path path;
  space_type space{};
  std::vector<double> values{1, 2, 3};
  Kokkos::View<double* [2], Kokkos::LayoutLeft, memory_space> table{"table", 3};
  void run() {
    mpi::npy_file file(world(), path);
    if constexpr (OfView) file.write(space, table);
    else file.write(std::span(values));
    file.commit();
  }
  void check() const {
    // Nothing but the complete file, whatever failed before it.
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(upsweep::read_npy(path).shape[0], 3 * static_cast<std::size_t>(world().size()));
    int files = 0;
    for (auto const& entry : std::filesystem::directory_iterator(path.parent_path()))
      if (entry.path().extension() != ".data") ++files;
    EXPECT_EQ(files, 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
};

void files(int stride) {
  upsweep_test::shared_folder const folder(world());
  auto const data = folder / "four.data", npy = folder / "values.npy";
  if (world().rank() == 0)
    std::ofstream(data) << "four atoms\n\n4 atoms\n1 bonds\n1 atom types\n1 bond types\n0 8 xlo xhi\n0 8 ylo yhi\n"
                           "0 8 zlo zhi\n\nMasses\n\n1 1.5\n\nBond Coeffs\n\n1 1\n\nAtoms # charge\n\n"
                           "1 1 2 0 0 0\n2 1 2 1 1 1\n3 1 2 2 2 2\n4 1 2 3 3 3\n\nBonds\n\n1 1 4 1\n";
  MPI_Barrier(MPI_COMM_WORLD);
  fail_each_allocation("read_lammps_data", stride, [&] { return reading{data}; });
  fail_each_allocation("scatter_particles", 1, [] { return scattering(); });
  fail_each_allocation("npy_file", stride, [&] { return writing<false>{npy}; });
  fail_each_allocation("npy_file of a View", stride, [&] { return writing<true>{npy}; });
}

}  // namespace

TEST(allocation_failures, files_agree) { files(13); }
TEST(long_allocation_failures, files_agree) { files(1); }
