// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "shared_folder.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>
#include <upsweep/io/mpi/lammps_data.hpp>
#include <upsweep/io/mpi/npy_file.hpp>

#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <numeric>

namespace {

/// What this process asked of the disk since the last clear(): 's' for a file and 'f' for a folder written through, 'r'
/// for a rename, 'm' for MPI_File_sync.
std::string disk_calls;

}  // namespace

// These stand in front of the C library's functions and of MPI's, for the MPI library, too.
extern "C" int fsync(int file) {
  static auto const real = reinterpret_cast<int (*)(int)>(::dlsym(RTLD_NEXT, "fsync"));
  struct stat status = {};
  disk_calls += ::fstat(file, &status) == 0 && S_ISDIR(status.st_mode) ? 'f' : 's';
  return real(file);
}

extern "C" int rename(char const* from, char const* to) noexcept {
  static auto const real = reinterpret_cast<int (*)(char const*, char const*)>(::dlsym(RTLD_NEXT, "rename"));
  disk_calls += 'r';
  return real(from, to);
}

extern "C" int MPI_File_sync(MPI_File file) {
  disk_calls += 'm';
  return PMPI_File_sync(file);
}

namespace {

using upsweep::mpi::npy_file;

/// Rows of rank r: r * r % 3 times 1000, so some ranks have none.
std::vector<std::int64_t> rows_of(int rank) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(rank * rank % 3 * 1000));
  std::iota(rows.begin(), rows.end(), 100000 * rank);
  return rows;
}

TEST(npy_file, every_rank_writes_its_piece) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  {
    npy_file file(comm, folder / "x.npy");
    auto const mine = rows_of(comm.rank());
    file.write(std::span(mine));
    file.commit();
  }
  std::vector<std::int64_t> expected;
  for (int r = 0; r < comm.size(); ++r) {
    auto const rows = rows_of(r);
    expected.insert(expected.end(), rows.begin(), rows.end());
  }
  auto const array = upsweep::read_npy(folder / "x.npy");
  EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{expected.size()}));
  EXPECT_EQ(array.as<std::int64_t>(), expected);
}

TEST(npy_file, the_same_bytes_as_one_writer) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  std::vector<std::int8_t> all(3 * 1001);
  std::iota(all.begin(), all.end(), std::int8_t(0));
  auto const mine = upsweep::mpi::even_range(1001, comm.rank(), comm.size());
  {
    npy_file file(comm, folder / "x.npy");
    file.write(std::span(all).subspan(static_cast<std::size_t>(3 * mine.first),
                                      static_cast<std::size_t>(3 * (mine.last - mine.first))),
               {3});
    file.commit();
  }
  if (comm.rank() == 0) {
    upsweep::write_npy(folder / "y.npy", std::span(all), {1001, 3});
    EXPECT_EQ(upsweep_test::contents(folder / "x.npy"), upsweep_test::contents(folder / "y.npy"));
  }
}

TEST(npy_file, rows_of_views) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  using space = Kokkos::DefaultExecutionSpace;
  // Rank 1 has no rows.
  auto const rows_on = [](int rank) { return rank == 1 ? 0 : 5 + rank; };
  Kokkos::View<int* [2], Kokkos::LayoutLeft, space> const table("table",
                                                                static_cast<std::size_t>(rows_on(comm.rank())));
  auto const host = Kokkos::create_mirror_view(table);
  for (std::size_t i = 0; i < host.extent(0); ++i)
    for (int j = 0; j < 2; ++j) host(i, j) = 100 * comm.rank() + 10 * static_cast<int>(i) + j;
  Kokkos::deep_copy(table, host);
  std::vector<int> expected;
  for (int r = 0; r < comm.size(); ++r)
    for (int i = 0; i < rows_on(r); ++i)
      for (int j = 0; j < 2; ++j) expected.push_back(100 * r + 10 * i + j);
  {
    npy_file file(comm, folder / "x.npy");
    file.write(space(), table);
    file.commit();
  }
  auto const array = upsweep::read_npy(folder / "x.npy");
  EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{expected.size() / 2, 2}));
  EXPECT_EQ(array.as<int>(), expected);

  // Rows of another length on one rank.
  if (comm.size() == 1) return;
  npy_file file(comm, folder / "x.npy");
  Kokkos::View<int**, space> const other("other", 3, comm.rank() == 0 ? 2 : 3);
  EXPECT_THROW(file.write(space(), other), upsweep::precondition_error);
}

TEST(npy_file, without_commit_the_old_file_stays) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  std::vector<double> const values{1, 2, 3};
  for (bool const commit : {true, false}) {
    npy_file file(comm, folder / "x.npy");
    file.write(std::span(values).first(commit ? 3 : 1));
    if (commit) file.commit();
  }
  MPI_Barrier(comm.get());
  EXPECT_EQ(upsweep::read_npy(folder / "x.npy").shape[0], static_cast<std::uint64_t>(3 * comm.size()));
  EXPECT_EQ(upsweep_test::files_in(folder), 1);
}

TEST(npy_file, is_on_the_disk_before_it_gets_its_name) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  std::vector<double> const values{1, 2, 3};
  npy_file file(comm, folder / "x.npy");
  disk_calls.clear();
  file.write(std::span(values));
  EXPECT_NE(disk_calls.find('m'), std::string::npos) << "every rank writes its own bytes through";
  disk_calls.clear();
  file.commit();
  EXPECT_EQ(disk_calls, comm.rank() == 0 ? "srf" : "");
}

TEST(npy_file, keeps_links_and_modes) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  if (comm.rank() == 0) {
    std::ofstream(folder / "target.npy") << "old";
    ASSERT_EQ(::chmod((folder / "target.npy").c_str(), 0640), 0);
    std::filesystem::create_symlink("target.npy", folder / "x.npy");
  }
  MPI_Barrier(comm.get());
  std::vector<double> const values{1, 2, 3};
  {
    npy_file file(comm, folder / "x.npy");
    file.write(std::span(values));
    file.commit();
  }
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "x.npy"));
  EXPECT_EQ(upsweep::read_npy(folder / "target.npy").shape[0], static_cast<std::uint64_t>(3 * comm.size()));
  EXPECT_EQ(std::filesystem::status(folder / "target.npy").permissions(), std::filesystem::perms(0640));
}

TEST(npy_file, a_full_disk_leaves_the_old_file) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  if (comm.rank() == 0) std::ofstream(folder / "x.npy") << "old";
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  {
    std::vector<double> const values(5000);
    npy_file file(comm, folder / "x.npy");
    rlimit small = old;
    small.rlim_cur = 4096;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_THROW(file.write(std::span(values)), upsweep::output_error);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
    EXPECT_THROW(file.commit(), upsweep::precondition_error);
  }
  MPI_Barrier(comm.get());
  EXPECT_EQ(upsweep_test::contents(folder / "x.npy"), "old");
  EXPECT_EQ(upsweep_test::files_in(folder), 1);
}

TEST(npy_file, refusals_are_everywhere_the_same) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  EXPECT_THROW(npy_file(comm, folder / "none/x.npy"), upsweep::output_error);
  EXPECT_THROW(npy_file(comm, folder.path()), upsweep::output_error);
  EXPECT_THROW(npy_file(comm, "/dev/null"), upsweep::output_error);
  npy_file file(comm, folder / "x.npy");
  std::vector<float> const values(comm.rank() == comm.size() - 1 ? 4 : 6);
  EXPECT_THROW(file.write(std::span(values), {3}), upsweep::precondition_error);
  EXPECT_THROW(file.commit(), upsweep::precondition_error);
}

TEST(even_range, cuts_evenly) {
  using upsweep::mpi::even_range;
  for (std::int64_t const n : {0ll, 1ll, 7ll, 32000ll, 9223372036854775807ll}) {
    for (int const size : {1, 2, 3, 8, 100}) {
      std::int64_t next = 0;
      for (int r = 0; r < size; ++r) {
        auto const range = even_range(n, r, size);
        EXPECT_EQ(range.first, next);
        std::int64_t const rows = range.last - range.first;
        EXPECT_TRUE(rows == n / size || rows - 1 == n / size) << rows;
        next = range.last;
      }
      EXPECT_EQ(next, n);
    }
  }
}

}  // namespace
