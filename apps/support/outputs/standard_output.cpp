// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "standard_output.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/printable.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace apps {
namespace {

void flush_or_throw(bool good) {
  int code = good ? 0 : errno;
  if (std::fflush(stdout) != 0 && code == 0) code = errno;
  // A write that failed earlier, of a function that did not look, has left only this mark.
  if (code == 0 && std::ferror(stdout) != 0) code = EIO;
  if (code == 0) return;
  std::clearerr(stdout);
  throw upsweep::output_error("standard output: cannot be written: " + std::generic_category().message(code));
}

}  // namespace

void occupy_closed_streams() {
  // open() gives the lowest free number.
  int number = 0;
  while (number >= 0 && number <= STDERR_FILENO) number = ::open("/dev/null", O_RDONLY);
  if (number > STDERR_FILENO) ::close(number);
}

void print(std::string_view text) {
  errno = 0;
  std::size_t const taken = std::fwrite(text.data(), 1, text.size(), stdout);
  // glibc 2.36 says of a stream written line by line, as a terminal's is, that it took what it could not write.
  flush_or_throw(taken == text.size() && std::ferror(stdout) == 0);
}

void flush_standard_output() { flush_or_throw(true); }

int answer(std::string const& program, command_line const& line) {
  if (line.exit_code != 0) return refuse(program, line.text);
  try {
    print(line.text);
    return 0;
  } catch (upsweep::output_error const& e) {
    return refuse(program, e.what());
  }
}

int refuse(std::string const& program, std::string const& what) {
  complain(program, what);
  return bad_input;
}

void complain(std::string const& program, std::string const& what) {
  char const* const remove_bar = ::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "";  // of progress
  std::fprintf(stderr, "%s%s: %s\n", remove_bar, program.c_str(), upsweep::printable(what).c_str());
}

}  // namespace apps
