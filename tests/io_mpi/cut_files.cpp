// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Files that were cut since they were opened. MPI says how much it has read, or, as Open MPI's collective reads, always
// that it was everything.

#include "shared_folder.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>
#include <upsweep/io/mpi/parallel_reader.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

namespace {
bool says_everything_was_read = false;
}

// Stands in front of MPI's function.
extern "C" int MPI_File_read_at(MPI_File file, MPI_Offset from, void* to, int count, MPI_Datatype type,
                                MPI_Status* status) {
  int const code = PMPI_File_read_at(file, from, to, count, type, status);
  if (says_everything_was_read) MPI_Status_set_elements(status, type, count);
  return code;
}

namespace {

using upsweep_test::shared_folder;

/// Every rank has four bytes of the file, of which `left` bytes are there when ranks read.
void expect_refused(std::size_t left) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  shared_folder const folder(comm);
  auto const all = 4 * static_cast<std::size_t>(comm.size());
  if (comm.rank() == 0) std::ofstream(folder / "x") << std::string(all, 'x');
  MPI_Barrier(comm.get());
  upsweep::mpi::parallel_reader const file(comm, folder / "x");
  auto const at = 4 * static_cast<std::uint64_t>(comm.rank());
  std::string mine(4, '\0');
  file.read(at, std::as_writable_bytes(std::span(mine)));
  EXPECT_EQ(mine, "xxxx");
  MPI_Barrier(comm.get());
  if (comm.rank() == 0) std::filesystem::resize_file(folder / "x", left);
  MPI_Barrier(comm.get());
  EXPECT_THROW(file.read(at, std::as_writable_bytes(std::span(mine))), upsweep::input_error);
  // What is there is read as before, and where a rank reads nothing does not matter.
  std::string first(left, '\0');
  file.read(0, std::as_writable_bytes(std::span(first)));
  EXPECT_EQ(first, std::string(left, 'x'));
  file.read(all, {});
  MPI_Barrier(comm.get());
}

void expect_all_refused() {
  auto size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  auto const all = 4 * static_cast<std::size_t>(size);
  for (std::size_t const left : {all - 1, all - 4, all / 2, std::size_t(0)}) expect_refused(left);
}

TEST(cut_file, is_an_error_on_all_ranks) { expect_all_refused(); }

TEST(cut_file, is_an_error_where_mpi_says_nothing) {
  says_everything_was_read = true;
  expect_all_refused();
  says_everything_was_read = false;
}

}  // namespace
