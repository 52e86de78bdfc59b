// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "shared_folder.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>
#include <upsweep/io/mpi/growing_file.hpp>
#include <upsweep/io/mpi/parallel_file.hpp>
#include <upsweep/io/mpi/parallel_reader.hpp>

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace {

using upsweep_test::contents;
using upsweep_test::shared_folder;
using bytes = std::span<std::byte const>;

bytes bytes_of(std::string const& text) { return std::as_bytes(std::span(text)); }

/// Rank r's text: r letters. Rank 0 has none.
std::string text_of(int rank, char first = 'a') {
  return std::string(static_cast<std::size_t>(rank), static_cast<char>(first + rank % 20));
}
std::string text_of_all(int ranks, char first = 'a') {
  std::string all;
  for (int r = 0; r < ranks; ++r) all += text_of(r, first);
  return all;
}

/// Relative names are those of files in `folder` while it lives.
class working_folder {
 public:
  explicit working_folder(std::filesystem::path const& folder) { std::filesystem::current_path(folder); }
  working_folder(working_folder const&) = delete;
  working_folder& operator=(working_folder const&) = delete;
  ~working_folder() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

TEST(parallel_file, sections_lie_one_behind_the_other) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  shared_folder const folder(comm);
  std::string const head = comm.rank() == 0 ? "head " : "", first = text_of(comm.rank()),
                    second = text_of(comm.rank(), 'A');
  {
    upsweep::mpi::parallel_file file(comm, folder / "x");
    file.write({bytes_of(head), bytes_of(first), {}, bytes_of(second)});
    EXPECT_THROW(file.write({}), upsweep::precondition_error);
    file.commit();
  }
  EXPECT_EQ(contents(folder / "x"), "head " + text_of_all(comm.size()) + text_of_all(comm.size(), 'A'));
}

TEST(parallel_file, nothing_is_replaced_without_commit) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  shared_folder const folder(comm);
  {
    upsweep::mpi::parallel_file(comm, folder / "x").write({bytes_of("old")});
  }
  MPI_Barrier(comm.get());  // rank 0 removes the part
  EXPECT_EQ(upsweep_test::files_in(folder), 0);
  MPI_Barrier(comm.get());  // rank 0 makes the next one
  upsweep::mpi::parallel_file file(comm, folder / "x");
  EXPECT_THROW(file.commit(), upsweep::precondition_error);
  EXPECT_THROW(file.commit_and_keep(folder / "y"), upsweep::precondition_error);
  MPI_Barrier(comm.get());
}

TEST(parallel_file, ranks_must_agree_on_sections) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  shared_folder const folder(comm);
  upsweep::mpi::parallel_file file(comm, folder / "x");
  std::vector<bytes> const sections(comm.rank() == 0 ? 2 : 1);
  if (comm.size() > 1) {
    EXPECT_THROW(file.write(sections), upsweep::precondition_error);
    EXPECT_THROW(file.commit(), upsweep::precondition_error);
  }
  MPI_Barrier(comm.get());
}

TEST(parallel_reader, every_rank_reads_its_part) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  shared_folder const folder(comm);
  if (comm.rank() == 0) upsweep::replace_file(folder / "x", "0123456789abcdef");
  MPI_Barrier(comm.get());
  upsweep::mpi::parallel_reader const file(comm, folder / "x");
  EXPECT_EQ(file.size(), 16u);
  auto const rank = static_cast<std::size_t>(comm.rank());
  std::string mine(rank % 4, '\0');
  file.read(rank, std::as_writable_bytes(std::span(mine)));
  EXPECT_EQ(mine, std::string("0123456789abcdef").substr(rank, rank % 4));
  // One rank that asks for too much is an error on all.
  std::string more(comm.rank() + 1 == comm.size() ? 17 : 1, '\0');
  EXPECT_THROW(file.read(0, std::as_writable_bytes(std::span(more))), upsweep::input_error);
  std::string one(1, '\0');
  EXPECT_THROW(file.read(UINT64_MAX, std::as_writable_bytes(std::span(one))), upsweep::input_error);
  // Files that were cut since.
  MPI_Barrier(comm.get());
  if (comm.rank() == 0) std::filesystem::resize_file(folder / "x", 3);
  MPI_Barrier(comm.get());
  std::string four(4, '\0');
  EXPECT_THROW(file.read(8, std::as_writable_bytes(std::span(four))), upsweep::input_error);
}

TEST(parallel_reader, only_regular_files_are_read) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  shared_folder const folder(comm);
  if (comm.rank() == 0) ::mkfifo((folder / "fifo").c_str(), 0600);
  MPI_Barrier(comm.get());
  for (auto const& path : {folder / "none", folder.path(), folder / "fifo", std::filesystem::path("/dev/zero")})
    EXPECT_THROW(upsweep::mpi::parallel_reader(comm, path), upsweep::input_error) << path;
  MPI_Barrier(comm.get());
}

/// Open MPI 4.1.3 to 5.0.3 refuses "x", and MPICH takes "ufs:x" for "x", unless they begin with "./".
TEST(parallel_files, have_any_relative_name) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  shared_folder const folder(comm);
  working_folder const here(folder.path());
  for (std::string const name : {"x", "ufs:x"}) {
    std::string const text = comm.rank() == 0 ? name : "";
    {
      upsweep::mpi::parallel_file file(comm, name);
      file.write({bytes_of(text)});
      file.commit();
    }
    upsweep::mpi::growing_file(comm, name, name.size()).append(bytes_of(text));
    std::string read(2 * name.size(), '\0');
    upsweep::mpi::parallel_reader(comm, name).read(0, std::as_writable_bytes(std::span(read)));
    EXPECT_EQ(read, name + name);
  }
}

TEST(growing_file, grows_in_rank_order_and_is_cut) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  shared_folder const folder(comm);
  auto const all = text_of_all(comm.size());
  std::string const mine = text_of(comm.rank());
  upsweep::mpi::growing_file file(comm, folder / "x");
  file.append(bytes_of(mine));
  file.append(bytes_of(mine));
  MPI_Barrier(comm.get());
  EXPECT_EQ(contents(folder / "x"), all + all);
  EXPECT_EQ(file.size(), 2 * all.size());
  MPI_Barrier(comm.get());
  upsweep::mpi::growing_file again(comm, folder / "x", all.size());
  again.append(bytes_of(mine));
  again.append({});
  MPI_Barrier(comm.get());
  EXPECT_EQ(contents(folder / "x"), all + all);
  MPI_Barrier(comm.get());
  EXPECT_THROW(upsweep::mpi::growing_file(comm, folder / "x", 2 * all.size() + 1), upsweep::output_error);
  EXPECT_THROW(upsweep::mpi::growing_file(comm, folder.path()), upsweep::output_error);
  EXPECT_THROW(upsweep::mpi::growing_file(comm, "/dev/null"), upsweep::output_error);
  EXPECT_THROW(upsweep::mpi::growing_file(comm, folder / "none/x"), upsweep::output_error);
  EXPECT_EQ(contents(folder / "x"), all + all);
  MPI_Barrier(comm.get());
}

/// A full disk, imitated by a limit on the size of files.
TEST(growing_file, keeps_what_it_had_where_it_cannot_grow) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  shared_folder const folder(comm);
  std::string const first = comm.rank() == 0 ? "first" : "", much(100000, 'x');
  upsweep::mpi::growing_file file(comm, folder / "x");
  file.append(bytes_of(first));
  struct rlimit old = {};
  ::getrlimit(RLIMIT_FSIZE, &old);
  struct rlimit const limit = {50000, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_THROW(file.append(bytes_of(much)), upsweep::output_error);
  ::setrlimit(RLIMIT_FSIZE, &old);
  MPI_Barrier(comm.get());
  EXPECT_EQ(contents(folder / "x"), "first");
  MPI_Barrier(comm.get());
  file.append(bytes_of(first));
  MPI_Barrier(comm.get());
  EXPECT_EQ(contents(folder / "x"), "firstfirst");
}

}  // namespace
