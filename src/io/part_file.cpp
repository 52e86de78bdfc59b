// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "part_file.hpp"

#include "file_place.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace upsweep::io::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".part";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// This machine's name, without characters that the names of part files use otherwise.
std::string cpu_word() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') return "host";
  std::string word(name);
  word.resize(std::min<std::size_t>(word.size(), 64));
  for (char& c : word)
    if (!is_word(c)) c = '_';
  return word;
}

/// ".out.json." for out.json. Names of almost 255 bytes are shortened, since the part's name must fit as well.
std::string wait_for_prefix(fs::path const& target) {
  constexpr std::size_t longest = 120;
  auto name = target.filename().string();
  if (name.size() > longest) {
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a differs for names with the same start
    for (char const c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    name.resize(longest - 21);
    name += '~' + std::to_string(hash);
  }
  return "." + name + ".";
}

/// Whether `rest`, what follows the prefix, is HOST-PID-N.part; sets `host`.
bool is_part(std::string_view rest, std::string_view& host) {
  if (!rest.ends_with(suffix)) return false;
  rest.remove_suffix(suffix.size());
  auto const take = [&](auto&& belongs) {
    auto const end = static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), belongs) - rest.begin());
    auto const word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
  };
  auto const dash = [&] {
    bool const found = rest.starts_with('-');
    if (found) rest.remove_prefix(1);
    return found;
  };
  host = take(is_word);
  return !host.empty() && dash() && !take(is_digit).empty() && dash() && !take(is_digit).empty() && rest.empty();
}

/// Locks a part file without waiting. The lock ends with the open file, so the kernel releases it when a process is
/// killed. One byte far behind all data is locked: MPI libraries lock the ranges that they write, and on NFS every kind
/// of lock meets every other.
bool lock(int file) {
#ifdef F_OFD_SETLK
  struct flock range = {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(1) << (sizeof(off_t) * 8 - 2);
  range.l_len = 1;
  return ::fcntl(file, F_OFD_SETLK, &range) == 0;
#else
  return ::flock(file, LOCK_EX | LOCK_NB) == 0;
#endif
}

/// Some network file systems lock within one machine only. A part of another machine must be a day old as well.
bool old_enough(bool made_here, struct stat const& status) {
  constexpr std::time_t day = 24 * 60 * 60;
  return made_here || status.st_mtime < std::time(nullptr) - day;
}

void remove_if_stale(fs::path const& path, bool made_here) {
  int const file = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  struct stat locked = {}, named = {};
  // Between opening and locking, the part may have been renamed and another one created under its name.
  if (::fstat(file, &locked) == 0 && S_ISREG(locked.st_mode) && old_enough(made_here, locked) && lock(file) &&
      ::lstat(path.c_str(), &named) == 0 && named.st_dev == locked.st_dev && named.st_ino == locked.st_ino)
    ::unlink(path.c_str());
  ::close(file);
}

}  // namespace

part_file create_part(fs::path const& target, fs::path const& named) {
  static std::atomic<unsigned> next{0};
  std::error_code error;
  // Until commit() copies the old file's mode nobody else may read what replaces it.
  mode_t const mode = fs::exists(target, error) ? 0600 : 0666;
  auto const start = wait_for_prefix(target) + cpu_word() + "-" + std::to_string(::getpid()) + "-";
  for (int attempt = 0;; ++attempt) {
    part_file part{target.parent_path() / (start + std::to_string(next++) + std::string(suffix))};
    part.file = ::open(part.path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
    if (part.file < 0) {
      if (errno != EEXIST || attempt == 1000) fail_output(named, "cannot be written", errno);
      continue;
    }
    // Another process that looks for stale parts may have been faster: it holds the lock, or has removed the file.
    bool const held_by_other = !lock(part.file) && (errno == EAGAIN || errno == EACCES);
    struct stat status = {};
    if (!held_by_other && ::fstat(part.file, &status) == 0 && status.st_nlink > 0) return part;
    int const code = errno;
    ::unlink(part.path.c_str());
    ::close(part.file);
    if (attempt == 1000) fail_output(named, "cannot be written", code);
  }
}

void remove_stale_parts(fs::path const& target) noexcept {
  try {
    auto const prefix = wait_for_prefix(target), here = cpu_word();
    auto const folder = folder_of(target);
    // Not std::filesystem::directory_iterator, which ends the process when memory runs out in its constructor.
    struct closer {
      void operator()(DIR* open) const { ::closedir(open); }
    };
    std::unique_ptr<DIR, closer> const entries(::opendir(folder.c_str()));
    if (entries == nullptr) return;
    while (auto const* const entry = ::readdir(entries.get())) {
      std::string_view const name = entry->d_name;
      std::string_view host;
      if (name.starts_with(prefix) && is_part(name.substr(prefix.size()), host))
        remove_if_stale(folder / name, host == here);
    }
  } catch (...) {  // out of memory: the next run may remove them
  }
}

}  // namespace upsweep::io::detail
