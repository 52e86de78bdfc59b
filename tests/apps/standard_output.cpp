// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/support/outputs/standard_output.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// Closes standard output and puts it back. Until then stdout is written as `buffering` says.
class closed_standard_output {
 public:
  explicit closed_standard_output(int buffering) {
    std::fflush(stdout);
    // The C standard has it before the first output only; glibc allows it at any time.
    std::setvbuf(stdout, nullptr, buffering, BUFSIZ);
    kept_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(STDOUT_FILENO);
  }
  closed_standard_output(closed_standard_output const&) = delete;
  closed_standard_output& operator=(closed_standard_output const&) = delete;
  ~closed_standard_output() {
    ::dup2(kept_, STDOUT_FILENO);
    ::close(kept_);
    std::setvbuf(stdout, nullptr, ::isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF, BUFSIZ);
  }

 private:
  int kept_;
};

/// What a program prints must not get into a file that it has opened: open() gives the lowest free number.
void expect_file_apart(int buffering) {
  std::string name = "/tmp/upsweep_standard_output_XXXXXX";
  std::string said = "nothing thrown";
  int file = -1;
  off_t written = -1;
  {
    closed_standard_output const closed(buffering);
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

TEST(standard_output, a_file_does_not_get_the_number_of_a_closed_stream) { expect_file_apart(_IOFBF); }

TEST(standard_output, a_file_does_not_get_the_number_of_a_closed_terminal) { expect_file_apart(_IOLBF); }

}  // namespace
