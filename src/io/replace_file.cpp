// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/io/size_limit_guard.hpp>

#include "file_place.hpp"
#include "part_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace upsweep {
namespace {

using io::detail::fail_output;
using io::detail::synchronised;

/// Makes a rename in a folder survive a loss of power. A folder that may be written but not read cannot be opened for
/// this.
void synchronise_folder(std::filesystem::path const& folder, std::filesystem::path const& path) {
  int const file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  bool const good = synchronised(file);
  int const code = errno;
  ::close(file);
  if (!good) fail_output(path, "is replaced, but its folder cannot be written through to the disk", code);
}

}  // namespace

file_replacement::file_replacement(std::filesystem::path const& path)
    : path_(path), target_(io::detail::replaceable_target(path)) {
  io::detail::remove_stale_parts(target_);
  auto part = io::detail::create_part(target_, path_);
  part_ = std::move(part.path);
  file_ = part.file;
}

file_replacement::file_replacement(file_replacement&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      part_(std::exchange(other.part_, {})),
      file_(std::exchange(other.file_, -1)) {}

file_replacement& file_replacement::operator=(file_replacement&& other) noexcept {
  if (this == &other) return *this;
  discard();
  path_ = std::move(other.path_);
  target_ = std::move(other.target_);
  part_ = std::exchange(other.part_, {});
  file_ = std::exchange(other.file_, -1);
  return *this;
}

file_replacement::~file_replacement() { discard(); }

void file_replacement::discard() noexcept {
  // Unlinked while locked, so that nobody else takes it for stale.
  if (!part_.empty()) ::unlink(part_.c_str());
  part_.clear();
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

void file_replacement::write(std::string_view bytes) {
  internal::require(file_ >= 0, "file_replacement::write",
                    [&] { return path_.string() + " is committed already, or writing it failed"; });
  size_limit_guard const guard;
  while (!bytes.empty()) {
    ssize_t const written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      int const code = errno;
      discard();  // what is incomplete cannot be committed
      fail_output(path_, "cannot be written", code);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void file_replacement::keep_owner_and_mode() {
  struct stat old = {}, now = {};
  if (::lstat(target_.c_str(), &old) != 0 || ::fstat(file_, &now) != 0) return;
  // Only root may give files away; the group alone can often be kept.
  if ((old.st_uid != now.st_uid || old.st_gid != now.st_gid) && ::fchown(file_, old.st_uid, old.st_gid) != 0)
    static_cast<void>(::fchown(file_, static_cast<uid_t>(-1), old.st_gid) == 0);
  // After fchown(), which clears some bits. The bits that lend the owner's or the group's rights stay with them only.
  // File systems without modes refuse it, and do without.
  if (::fstat(file_, &now) != 0) return;
  mode_t mode = old.st_mode & 07777;
  if (now.st_uid != old.st_uid) mode &= ~static_cast<mode_t>(S_ISUID);
  if (now.st_gid != old.st_gid) mode &= ~static_cast<mode_t>(S_ISGID);
  static_cast<void>(::fchmod(file_, mode) == 0);
}

void file_replacement::write_through() {
  if (synchronised(file_)) return;
  int const code = errno;  // a full disk may be reported as late as here
  discard();
  fail_output(path_, "cannot be written", code);
}

void file_replacement::commit() {
  internal::require(file_ >= 0, "file_replacement::commit",
                    [&] { return path_.string() + " is committed already, or writing it failed"; });
  auto const folder = io::detail::folder_of(target_);  // after the rename nothing may fail for lack of memory
  keep_owner_and_mode();
  write_through();
  if (::rename(part_.c_str(), target_.c_str()) != 0) {
    int const code = errno;
    discard();
    fail_output(path_, "cannot be replaced", code);
  }
  part_.clear();
  discard();
  synchronise_folder(folder, path_);
}

/// Gives the older file a second name, which then becomes `previous` in one step.
void file_replacement::keep_as(std::filesystem::path const& previous) const {
  // Named like our part, with a longer number. If the program is killed here, the next replacement of this file removes
  // the name as a stale part.
  auto name = part_;
  for (int attempt = 0;; ++attempt) {
    name = name.parent_path() / (name.stem().string() + "0" + name.extension().string());
    if (::link(target_.c_str(), name.c_str()) == 0) break;
    // No older file.
    if (errno == ENOENT) return;
    // The part of another replacement.
    if (errno == EEXIST && attempt < 8) continue;
    // A file system without hard links.
    std::error_code error;
    std::filesystem::copy_file(target_, name, error);
    if (error == std::errc::file_exists) fail_output(path_, "cannot be kept under another name", error.value());
    int const copy = error ? -1 : ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    bool const good = copy >= 0 && synchronised(copy);
    int const code = error ? error.value() : errno;
    if (copy >= 0) ::close(copy);
    if (good) break;
    ::unlink(name.c_str());
    fail_output(path_, "cannot be kept under another name", code);
  }
  bool const renamed = ::rename(name.c_str(), previous.c_str()) == 0;
  int const code = errno;
  // After a kill between the two renames both names are hard links to one file, and rename() then does nothing.
  ::unlink(name.c_str());
  if (!renamed) fail_output(previous, "cannot be replaced", code);
}

void file_replacement::commit_and_keep(std::filesystem::path const& previous) {
  internal::require(file_ >= 0, "file_replacement::commit_and_keep",
                    [&] { return path_.string() + " is committed already, or writing it failed"; });
  auto const to = io::detail::replaceable_target(previous);
  std::error_code error;
  internal::require(
      std::filesystem::equivalent(io::detail::folder_of(to), io::detail::folder_of(target_), error) && !error,
      "file_replacement::commit_and_keep",
      [&] { return previous.string() + " is not in the folder of " + path_.string(); });
  write_through();  // the new file is on the disk before the older one changes its name
  keep_as(to);
  commit();
}

void replace_file(std::filesystem::path const& path, std::string_view contents) {
  file_replacement replacement(path);
  replacement.write(contents);
  replacement.commit();
}

void check_writable(std::filesystem::path const& path) { file_replacement const removed_again(path); }

}  // namespace upsweep
