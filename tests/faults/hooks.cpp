// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <cstdlib>  // defines __GLIBC__ where it is used

#include "hooks.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

namespace {

std::atomic<std::int64_t> allocations_left{-1};
std::atomic<std::int64_t> blocks{0};
std::atomic<bool> failed{false};

/// Counts down to the allocation that fails.
bool must_fail() {
  if (allocations_left.load(std::memory_order_relaxed) < 0) return false;
  if (allocations_left.fetch_sub(1) != 0) return false;
  failed = true;
  errno = ENOMEM;
  return true;
}

void* counted(void* block) {
  if (block != nullptr) blocks.fetch_add(1, std::memory_order_relaxed);
  return block;
}

faults::file_faults file;
bool faulty = false;
std::int64_t read_bytes = 0, written_bytes = 0;
bool second_call = false;

template <class Function>
Function real(char const* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

/// How many bytes this call may move: sets errno and returns 0 for an error.
std::size_t allowed(std::size_t n, int error, std::int64_t before, std::int64_t done) {
  second_call = !second_call;
  if (file.interrupted && second_call) {
    errno = EINTR;
    return 0;
  }
  if (file.one_byte && n > 1) n = 1;
  if (error == 0) return n;
  if (done >= before) {
    errno = error;
    return 0;
  }
  auto const left = static_cast<std::size_t>(before - done);
  return n < left ? n : left;
}

/// read() or write(), which fails with `error` once `before` bytes are done.
template <class Call, class Bytes>
ssize_t move_bytes(Call original, int descriptor, Bytes* bytes, std::size_t n, int error, std::int64_t before,
                   std::int64_t& done) {
  if (!faulty || n == 0) return original(descriptor, bytes, n);
  n = allowed(n, error, before, done);
  if (n == 0) return -1;
  auto const moved = original(descriptor, bytes, n);
  if (moved > 0) done += moved;
  return moved;
}

}  // namespace

namespace faults {

void fail_allocation_after(std::int64_t allocations) {
  failed = false;
  allocations_left = allocations;
}
bool allocation_failed() { return failed; }
std::int64_t live_blocks() { return blocks; }

with_file_faults::with_file_faults(file_faults const& wanted) {
  file = wanted;
  read_bytes = written_bytes = 0;
  second_call = false;
  faulty = true;
}
with_file_faults::~with_file_faults() { faulty = false; }

}  // namespace faults

extern "C" {

#ifdef __GLIBC__
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void __libc_free(void*);

// These are malloc and its companions for the linker. In C++ they have names of their own: nvcc takes a function named
// malloc or free for one that devices call, too.
void* failing_malloc(std::size_t n) noexcept __asm__("malloc");
void* failing_calloc(std::size_t n, std::size_t size) noexcept __asm__("calloc");
void* failing_realloc(void* old, std::size_t n) noexcept __asm__("realloc");
void counted_free(void* block) noexcept __asm__("free");

void* failing_malloc(std::size_t n) noexcept { return must_fail() ? nullptr : counted(__libc_malloc(n)); }
void* failing_calloc(std::size_t n, std::size_t size) noexcept {
  return must_fail() ? nullptr : counted(__libc_calloc(n, size));
}
void* failing_realloc(void* old, std::size_t n) noexcept {
  if (must_fail()) return nullptr;
  return old == nullptr ? counted(__libc_realloc(old, n)) : __libc_realloc(old, n);
}
void counted_free(void* block) noexcept {
  if (block != nullptr) blocks.fetch_sub(1, std::memory_order_relaxed);
  __libc_free(block);
}
#endif

ssize_t write(int to, void const* bytes, std::size_t n) {
  static auto const original = real<ssize_t (*)(int, void const*, std::size_t)>("write");
  return move_bytes(original, to, bytes, n, file.write_error, file.writes_before, written_bytes);
}

ssize_t read(int from, void* bytes, std::size_t n) {
  static auto const original = real<ssize_t (*)(int, void*, std::size_t)>("read");
  return move_bytes(original, from, bytes, n, file.read_error, file.reads_before, read_bytes);
}

#ifdef __GLIBC__
// What read() becomes where the room in arrays is checked (_FORTIFY_SOURCE, a default of Ubuntu), always by nvcc.
ssize_t __read_chk(int from, void* bytes, std::size_t n, std::size_t room) {
  if (n > room) std::abort();
  return read(from, bytes, n);
}
#endif

int fsync(int descriptor) {
  static auto const original = real<int (*)(int)>("fsync");
  if (!faulty || file.sync_error == 0) return original(descriptor);
  errno = file.sync_error;
  return -1;
}

int rename(char const* from, char const* to) noexcept {
  static auto const original = real<int (*)(char const*, char const*)>("rename");
  if (!faulty || file.rename_error == 0) return original(from, to);
  errno = file.rename_error;
  return -1;
}

}  // extern "C"
