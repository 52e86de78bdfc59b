// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/support/standard_output.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// Closes standard output and puts it back.
class closed_standard_output {
 public:
  closed_standard_output() {
    std::fflush(stdout);
    kept_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(STDOUT_FILENO);
  }
  closed_standard_output(closed_standard_output const&) = delete;
  closed_standard_output& operator=(closed_standard_output const&) = delete;
  ~closed_standard_output() {
    ::dup2(kept_, STDOUT_FILENO);
    ::close(kept_);
  }

 private:
  int kept_;
};

/// What a program prints must not get into a file that it has opened: open() gives the lowest free number.
TEST(standard_output, a_file_does_not_get_the_number_of_a_closed_stream) {
  std::string name = "/tmp/upsweep_standard_output_XXXXXX";
  std::string said = "nothing thrown";
  int file = -1;
  off_t written = -1;
  {
    closed_standard_output const closed;
    apps::occupy_closed_streams();
    file = ::mkstemp(name.data());
    try {
      apps::print("a table\n");
    } catch (upsweep::output_error const& e) {
      said = e.what();
    }
    written = ::lseek(file, 0, SEEK_END);
    // A file with the number of standard output is closed when this is put back.
    if (file > STDERR_FILENO) ::close(file);
  }
  ::unlink(name.c_str());
  EXPECT_GT(file, STDERR_FILENO);
  EXPECT_EQ(written, 0);
  EXPECT_EQ(said, "standard output: cannot be written: Bad file descriptor");
}

}  // namespace
