// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/rows/gather_rows.hpp"
#include "../../apps/nbody/trajectory/h5md_frames.hpp"
#include "../../apps/nbody/trajectory/numbered_files.hpp"
#include "../io_mpi/shared_folder.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using upsweep_test::contents;

upsweep::box<double> const box({0, 0, 0}, {1, 2, 3});

/// The message of what f() refuses; empty where it refuses nothing.
template <class F>
std::string refusal(F const& f) {
  try {
    f();
    return {};
  } catch (upsweep::output_error const& e) {
    return e.what();
  }
}

/// Limits the sizes of this process' files while it lives.
class size_limit {
 public:
  explicit size_limit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit const now{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~size_limit() { ::setrlimit(RLIMIT_FSIZE, &old_); }

 private:
  rlimit old_{};
};

TEST(gather_rows, pieces_do_not_depend_on_the_number_of_ranks) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  for (std::int64_t const n : {1, 2, 7, 64, 100})
    for (std::int64_t const piece : {1, 3, 32, 1000}) {
      auto const range = upsweep::mpi::even_range(n, comm.rank(), comm.size());
      std::vector<int> mine, all;
      for (std::int64_t i = range.first; i < range.last; ++i)
        for (int d = 0; d < 3; ++d) mine.push_back(static_cast<int>(10 * i) + d);
      nbody::gather_rows(comm, n, 3, std::span<int const>(mine), piece,
                         [&](std::int64_t first, std::span<int const> rows) {
                           ASSERT_EQ(first, static_cast<std::int64_t>(all.size()) / 3);
                           ASSERT_EQ(static_cast<std::int64_t>(rows.size()), 3 * std::min(piece, n - first));
                           all.insert(all.end(), rows.begin(), rows.end());
                         });
      ASSERT_EQ(static_cast<std::int64_t>(all.size()), comm.rank() == 0 ? 3 * n : 0);
      for (std::size_t k = 0; k < all.size(); ++k) ASSERT_EQ(all[k], static_cast<int>(10 * (k / 3) + k % 3));
    }
}

TEST(gather_rows, an_error_is_that_of_all_ranks) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  auto const range = upsweep::mpi::even_range(50, comm.rank(), comm.size());
  std::vector<double> const mine(static_cast<std::size_t>(range.last - range.first));
  int calls = 0;
  auto const gather = [&] {
    nbody::gather_rows(comm, 50, 1, std::span<double const>(mine), 5, [&](std::int64_t first, std::span<double const>) {
      ++calls;
      if (first == 20) throw upsweep::output_error("full");
    });
  };
  EXPECT_NE(refusal(gather).find("full"), std::string::npos);
  EXPECT_EQ(calls, comm.rank() == 0 ? 5 : 0);
}

TEST(h5md, files_are_known_by_their_names) {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  auto const name = (folder / "melt.5.h5").string();
  EXPECT_EQ(nbody::numbered_file(name, 70), folder / "melt.5.70.h5");
  if (comm.rank() != 0) return;
  for (auto const* other :
       {"melt.5.h5", "melt.5.10.h5", "melt.5.9.h5", "melt.5.100.h5", "melt.5.007.h5", "melt.5.-3.h5", "melt.5.x.h5",
        "melt.5..h5", "melt.5.12.h5md", "melt.12.h5", "melt.5.99999999999999999999.h5"})
    std::ofstream(folder / other) << "x";
  EXPECT_EQ(nbody::numbered_files_after(name, -1), (std::vector<std::int64_t>{9, 10, 100}));
  EXPECT_EQ(nbody::numbered_files_after(name, 9), (std::vector<std::int64_t>{10, 100}));
  EXPECT_FALSE(nbody::is_h5md_part(folder / "melt.5.10.h5", 10));
}

TEST(h5md, chunks_are_bounded_and_leave_little_unused) {
  for (std::int64_t const n : {1, 2, 32767, 32768, 32769, 65536, 65537, 1000000007}) {
    auto const rows = nbody::h5md_chunk_rows(n);
    EXPECT_GE(rows, 1);
    EXPECT_LE(rows, 32768);
    auto const chunks = (n + rows - 1) / rows;
    EXPECT_LT(chunks * rows - n, chunks) << n;
  }
}

TEST(h5md, the_same_calls_make_the_same_bytes) {
  if (!nbody::has_hdf5()) GTEST_SKIP() << "built without HDF5";
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  if (comm.rank() != 0) return;
  std::vector<double> const rows(300, 0.5);
  for (auto const* name : {"a", "b"}) {
    upsweep::file_replacement part(folder / name);
    nbody::h5md_file file(part, name, 100, box, 30);
    for (int step = 30; step < 33; ++step) {
      file.begin_frame(step, step);
      file.write(nbody::h5md_array::position, 0, std::span(rows));
    }
    file.close();
    part.commit();
  }
  EXPECT_EQ(contents(folder / "a"), contents(folder / "b"));
}

TEST(h5md, parts_and_indices_are_told_apart) {
  if (!nbody::has_hdf5()) GTEST_SKIP() << "built without HDF5";
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  if (comm.rank() != 0) return;
  {
    upsweep::file_replacement part(folder / "part");
    nbody::h5md_file file(part, "part", 100, box, 30);
    file.begin_frame(30, 0.3);
    file.close();
    part.commit();
  }
  upsweep::replace_file(folder / "index", nbody::h5md_index("index", 100, box, {{"part", 1}}));
  upsweep::replace_file(folder / "empty", nbody::h5md_index("empty", 100, box, {}));
  EXPECT_TRUE(nbody::is_h5md_part(folder / "part", 30));
  for (auto const step : {3, 0, 300, 20}) EXPECT_FALSE(nbody::is_h5md_part(folder / "part", step)) << step;
  EXPECT_FALSE(nbody::is_h5md_index(folder / "part"));
  for (auto const* name : {"index", "empty"}) {
    EXPECT_TRUE(nbody::is_h5md_index(folder / name)) << name;
    EXPECT_FALSE(nbody::is_h5md_part(folder / name, 30)) << name;
  }
  EXPECT_FALSE(nbody::is_h5md_index(folder / "none"));
}

TEST(h5md, what_the_system_refuses_is_said_once) {
  if (!nbody::has_hdf5()) GTEST_SKIP() << "built without HDF5";
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  if (comm.rank() != 0) return;
  testing::internal::CaptureStderr();
  std::vector<double> const rows(300000, 0.5);
  // The limit: within the start of the file, within its end, and within the frames.
  auto const write = [&](rlim_t bytes, std::int64_t particles) {
    upsweep::file_replacement part(folder / "t");
    size_limit const limit(bytes);
    nbody::h5md_file file(part, "t.h5", particles, box, 0);
    for (int step = 0; step < 3; ++step) {
      file.begin_frame(step, step);
      file.write(nbody::h5md_array::position, 0, std::span(rows).first(static_cast<std::size_t>(3 * particles)));
    }
    file.close();
  };
  for (rlim_t const bytes : {0, 1, 2000})
    EXPECT_EQ(refusal([&] { write(bytes, 10); }), (folder / "t").string() + ": cannot be written: File too large");
  EXPECT_EQ(refusal([&] { write(12000, 10); }), "t.h5: cannot be written: File too large");
  EXPECT_EQ(refusal([&] { write(1 << 20, 100000); }), "t.h5: cannot be written: File too large");
  EXPECT_EQ(refusal([&] {
              upsweep::file_replacement part(folder / "gone");
              std::filesystem::remove(part.part());
              nbody::h5md_file(part, "gone.h5", 10, box, 0);
            }),
            "gone.h5: cannot be written: No such file or directory");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(h5md, a_full_disk_ends_all_ranks_and_leaves_no_frames) {
  if (!nbody::has_hdf5()) GTEST_SKIP() << "built without HDF5";
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep_test::shared_folder folder(comm);
  constexpr std::int64_t n = 5000;
  auto const range = upsweep::mpi::even_range(n, comm.rank(), comm.size());
  auto const rows = static_cast<std::size_t>(range.last - range.first);
  std::vector<double> const values(3 * rows, 0.25);
  std::vector<double> const masses(rows, 1);
  std::vector<int> const edges(3 * rows, 1);
  std::vector<std::int32_t> const types(rows, 1);
  nbody::trajectory_record record;
  if (comm.rank() == 0) {
    std::ofstream(folder / "u.h5") << "of another";
    std::filesystem::create_symlink("u.h5", folder / "t.h5");
  }
  {
    nbody::h5md_frames frames(comm, (folder / "t.h5").string());
    frames.begin(record, n, box);
    MPI_Barrier(comm.get());
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "t.h5"));
    EXPECT_TRUE(nbody::is_h5md_index(folder / "u.h5"));
    auto const write = [&] {
      size_limit const limit(1 << 20);
      for (int step = 0; step < 10; ++step)
        frames.write({step, 0.1 * step, n, box, range.first, values, values, edges, masses, types}, record);
    };
    auto const message = refusal(write);
    EXPECT_NE(message.find("t.0.h5: cannot be written: File too large"), std::string::npos) << message;
  }
  MPI_Barrier(comm.get());
  EXPECT_EQ(upsweep_test::files_in(folder), 2);
}

}  // namespace
