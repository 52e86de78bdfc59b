// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Writes to a disk that fills up, linked with the objects of upsweep-nbody. UPSWEEP_TEST_FULL=n: the n-th write of the
// process to a regular file below the working folder fails, counted from 1, and so do all later ones.

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace {

template <class Function>
Function real(char const* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

bool is_below_working_folder(int file) {
  std::error_code failed;
  auto const path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), failed).string();
  auto const folder = std::filesystem::current_path(failed).string() + "/";
  return path.starts_with(folder);
}

bool is_full(int file) {
  static long const last = [] {
    char const* const text = std::getenv("UPSWEEP_TEST_FULL");
    return text == nullptr ? 0L : std::atol(text);
  }();
  static std::atomic<long> writes{0};
  if (last <= 0) return false;
  // MPI libraries write to files of their own elsewhere, maybe on the same disk: Open MPI maps one below /tmp, and dies
  // of a bus error where it could not be written.
  struct stat status = {};
  bool const counts = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && is_below_working_folder(file);
  if (!counts || ++writes < last) return false;
  errno = ENOSPC;
  return true;
}

}  // namespace

extern "C" {

ssize_t write(int file, void const* bytes, std::size_t n) {
  static auto const original = real<ssize_t (*)(int, void const*, std::size_t)>("write");
  return is_full(file) ? -1 : original(file, bytes, n);
}

ssize_t pwrite(int file, void const* bytes, std::size_t n, off_t at) {
  static auto const original = real<ssize_t (*)(int, void const*, std::size_t, off_t)>("pwrite");
  return is_full(file) ? -1 : original(file, bytes, n, at);
}

#ifdef __GLIBC__
// What libraries call that were compiled for large files.
ssize_t pwrite64(int file, void const* bytes, std::size_t n, off64_t at) {
  static auto const original = real<ssize_t (*)(int, void const*, std::size_t, off64_t)>("pwrite64");
  return is_full(file) ? -1 : original(file, bytes, n, at);
}
#endif

}  // extern "C"
