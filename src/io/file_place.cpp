// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "file_place.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <string>
#include <system_error>

namespace upsweep {
namespace io::detail {
namespace {

namespace fs = std::filesystem;

char const* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISCHR(mode)) return "a character device";
  if (S_ISBLK(mode)) return "a block device";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "no regular file";
}

[[noreturn]] void refuse_kind(fs::path const& path, char const* kind) {
  throw output_error(path.string() + ": is " + kind + " (expected a regular file or a new name)");
}

struct link_end {
  fs::path path;        // the file may be missing
  bool stream = false;  // the chain led through a link of /proc to an open file
  std::error_code error;
};

/// The end of a chain of symbolic links. Links in /proc, such as /proc/self/fd/1 to which /dev/stdout leads, end it:
/// each names an open file, and a program that replaces this file writes nothing to the open one.
link_end follow_links(fs::path path) {
  constexpr int most_links = 40;  // as Linux has it
  link_end end;
  for (int links = 0; links <= most_links && !end.error; ++links) {
    std::error_code error;
    end.path = path;
    if (!fs::is_symlink(fs::symlink_status(path, error))) return end;
    auto const folder = fs::canonical(folder_of(path), end.error);
    end.stream = folder.string().starts_with("/proc/");
    if (end.stream || end.error) return end;
    auto const next = fs::read_symlink(path, end.error);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  if (!end.error) end.error = std::make_error_code(std::errc::too_many_symbolic_link_levels);
  return end;
}

}  // namespace

void fail_output(fs::path const& path, char const* what, int code) {
  throw output_error(path.string() + ": " + what + ": " + std::generic_category().message(code));
}

bool synchronised(int file) { return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP; }

fs::path folder_of(fs::path const& path) {
  auto folder = path.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

fs::path replaceable_target(fs::path const& path) {
  if (path.empty()) fail_output(path, "cannot be written", ENOENT);
  struct stat status = {};
  bool const exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail_output(path, "cannot be written", errno);
  if (exists && !S_ISREG(status.st_mode)) refuse_kind(path, kind_of(status.st_mode));
  auto const end = follow_links(path);
  if (end.stream) refuse_kind(path, "a stream of a process");
  if (end.error) fail_output(path, "cannot be written", end.error.value());
  if (end.path.filename().empty()) refuse_kind(path, "the name of a folder");
  // A rename needs no permission to write to the file that it replaces; its owner may have protected it.
  if (exists && ::faccessat(AT_FDCWD, end.path.c_str(), W_OK, AT_EACCESS) != 0)
    fail_output(path, "cannot be replaced", errno);
  return end.path;
}

}  // namespace io::detail

bool same_place(std::filesystem::path const& a, std::filesystem::path const& b) {
  auto const same_file = [](struct stat const& x, struct stat const& y) {
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
  };
  struct stat of_a = {}, of_b = {};
  bool const a_exists = ::stat(a.c_str(), &of_a) == 0, b_exists = ::stat(b.c_str(), &of_b) == 0;
  if (a_exists && b_exists) return same_file(of_a, of_b);
  if (a_exists != b_exists) return false;
  // A trailing slash or dot does not make another place.
  std::error_code error;
  auto const refuse_to_guess = [&] {
    if (error == std::errc::not_enough_memory) throw std::bad_alloc();
  };
  auto const place = [&](std::filesystem::path const& path) {
    auto const found = io::detail::follow_links(path);
    error = found.error;
    refuse_to_guess();
    auto end = found.path;
    while (end.has_relative_path() && end.has_parent_path() && (end.filename().empty() || end.filename() == "."))
      end = end.parent_path();
    return end;
  };
  auto const place_a = place(a), place_b = place(b);
  if (place_a.filename() != place_b.filename()) return false;
  auto const folder_a = io::detail::folder_of(place_a), folder_b = io::detail::folder_of(place_b);
  if (::stat(folder_a.c_str(), &of_a) == 0 && ::stat(folder_b.c_str(), &of_b) == 0) return same_file(of_a, of_b);
  // Folders that a program has yet to make: the existing part of their names is resolved.
  auto const full = [&](std::filesystem::path const& folder) {
    auto const absolute = std::filesystem::absolute(folder, error);
    refuse_to_guess();
    auto const canonical = std::filesystem::weakly_canonical(absolute, error);
    refuse_to_guess();
    return error ? absolute.lexically_normal() : canonical;
  };
  return full(folder_a) == full(folder_b);
}

}  // namespace upsweep
