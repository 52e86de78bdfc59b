// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace upsweep {
namespace {

[[noreturn]] void fail(std::filesystem::path const& path, char const* what, int code) {
  throw output_error(path.string() + ": " + what + ": " + std::generic_category().message(code));
}

std::filesystem::path temporary_name(std::filesystem::path const& path, int attempt) {
  std::string name(".");
  name.append(path.filename().string()).append(".").append(std::to_string(::getpid()));
  name.append("-").append(std::to_string(attempt)).append(".part");
  return path.parent_path() / name;
}

void write_all(int file, std::string_view contents, std::filesystem::path const& path) {
  while (!contents.empty()) {
    ssize_t const written = ::write(file, contents.data(), contents.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, "cannot be written", errno);
    contents.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::filesystem::path make_temporary_beside(std::filesystem::path const& path) {
  std::error_code ignored;
  if (path.filename().empty()) fail(path, "cannot be written", EINVAL);
  // Found now, not when the rename at the end of long work fails.
  if (std::filesystem::is_directory(path, ignored)) fail(path, "cannot be written", EISDIR);
  for (int attempt = 0;; ++attempt) {
    auto const temporary = temporary_name(path, attempt);
    int const file = ::open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file >= 0) {
      ::close(file);
      return temporary;
    }
    if (errno != EEXIST || attempt == 1000) fail(path, "cannot be written", errno);
  }
}

void check_writable(std::filesystem::path const& path) {
  ::unlink(make_temporary_beside(path).c_str());
}

void rename_into_place(std::filesystem::path const& temporary, std::filesystem::path const& path) {
  if (::rename(temporary.c_str(), path.c_str()) == 0) return;
  int const code = errno;
  ::unlink(temporary.c_str());
  fail(path, "cannot be replaced", code);
}

void replace_file(std::filesystem::path const& path, std::string_view contents) {
  auto const temporary = make_temporary_beside(path);
  int const file = ::open(temporary.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  int const open_error = errno;
  try {
    if (file < 0) fail(path, "cannot be written", open_error);
    write_all(file, contents, path);
    // A full disk may be reported as late as here.
    if (::fsync(file) != 0 && errno != EINVAL && errno != EROFS) fail(path, "cannot be written", errno);
  } catch (...) {
    if (file >= 0) ::close(file);
    ::unlink(temporary.c_str());
    throw;
  }
  if (::close(file) != 0) {
    int const code = errno;
    ::unlink(temporary.c_str());
    fail(path, "cannot be written", code);
  }
  rename_into_place(temporary, path);
}

}  // namespace upsweep
