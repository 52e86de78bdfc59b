// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/internal/mpi_text.hpp>

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

namespace {

using upsweep::internal::plain_mpi_text;

// Texts of MPICH 5.0.
TEST(mpi_text, of_a_stack_is_what_and_why) {
  EXPECT_EQ(plain_mpi_text("Other I/O error , error stack:\n"
                           "internal_File_write_at(8519): MPI_File_write_at(file=0x5604, offset=0, buf=0x7fc3, "
                           "count=1048576, MPI_BYTE, status=0x7ffe) failed\n"
                           "ADIOI_GEN_WRITECONTIG(80)...: Other I/O error No space left on device"),
            "Other I/O error: No space left on device");
  EXPECT_EQ(plain_mpi_text("File does not exist, error stack:\n"
                           "internal_File_open(4099)........: MPI_File_open(MPI_COMM_WORLD, filename=./none/x) failed\n"
                           "ADIO_RESOLVEFILETYPE_FNCALL(468): Invalid file name ./none/x\n"),
            "File does not exist: Invalid file name ./none/x");
}

TEST(mpi_text, of_a_stack_without_a_reason_is_what) {
  EXPECT_EQ(plain_mpi_text("Invalid communicator, error stack:\ninternal_Comm_dup(51): MPI_Comm_dup(0x0) failed"),
            "Invalid communicator");
  EXPECT_EQ(plain_mpi_text("Other I/O error , error stack:\nADIOI_X(80): Other I/O error "), "Other I/O error");
  EXPECT_EQ(plain_mpi_text("Other MPI error, error stack:"), "Other MPI error");
  EXPECT_EQ(plain_mpi_text("Other MPI error, error stack:\n(unknown)(): Other MPI error"), "Other MPI error");
}

TEST(mpi_text, without_a_stack_stays_as_it_is) {
  EXPECT_EQ(plain_mpi_text("MPI_ERR_NO_SPACE: not enough space"), "MPI_ERR_NO_SPACE: not enough space");
  EXPECT_EQ(plain_mpi_text("two\nlines\n"), "two lines");
  EXPECT_EQ(plain_mpi_text(""), "");
}

TEST(mpi_text, of_a_code_is_one_line) {
  auto const text = upsweep::internal::mpi_text(MPI_ERR_COUNT);
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

}  // namespace
