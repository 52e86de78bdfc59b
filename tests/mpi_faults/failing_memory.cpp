// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "failing_memory.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace failing_memory {
namespace {

thread_local bool armed = false;
thread_local bool failed = false;
thread_local std::int64_t count = 0;
thread_local std::int64_t chosen = never;
thread_local std::size_t least = 0;
thread_local bool watching = false;
thread_local std::int64_t seen = 0;

/// Whether one of the innermost `depth` functions on the stack has a name that f(name) is true for.
template <class F>
bool is_called_by(int depth, F const& f) {
  void* frames[32];
  int const n = backtrace(frames, depth);
  for (int i = 0; i < n; ++i) {
    Dl_info info;
    if (dladdr(frames[i], &info) != 0 && info.dli_sname != nullptr && f(info.dli_sname)) return true;
  }
  return false;
}
bool contains(char const* name, char const* part) { return std::strstr(name, part) != nullptr; }

/// Whether a failure would end the program inside of another library, which its callers cannot prevent: Kokkos makes a
/// string when a View is released, and libstdc++ makes paths in functions of directory iterators that are noexcept.
bool ends_program() {
  return is_called_by(32, [](char const* name) {
    // Every View is released in SharedAllocationRecord::decrement; on GPUs the string is made before any deallocate().
    bool const releases =
        contains(name, "Kokkos") &&
        (contains(name, "deallocate") || (contains(name, "SharedAllocationRecord") && contains(name, "decrement")));
    return releases || contains(name, "directory_iterator");
  });
}

/// Whether a string is what an allocation is for: its constructor called operator new, or a function that it is inlined
/// into and that takes no other memory.
bool is_for_string() {
  bool found = false, is_next = false;
  is_called_by(12, [&](char const* name) {
    if (is_next)
      found = contains(name, "basic_string") || contains(name, "fence_without_memory") ||
              contains(name, "launch_without_memory");
    else is_next = std::strncmp(name, "_Zn", 3) == 0;  // operator new
    // GCC 12 with -Og calls std::allocator on the way.
    return found || (is_next && std::strncmp(name, "_Zn", 3) != 0 && !contains(name, "8allocateE"));
  });
  return found;
}

bool due(std::size_t bytes) {
  if (watching) {
    watching = false;
    if (!is_for_string()) ++seen;
    watching = true;
  }
  if (!armed || bytes < least || count++ != chosen) return false;
  armed = false;
  failed = !ends_program();
  armed = true;
  return failed;
}

void* take(std::size_t bytes, std::size_t alignment) {
  if (due(bytes)) return nullptr;
  if (bytes == 0) bytes = 1;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void* take_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const memory = take(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void arm(std::int64_t number, std::size_t least_bytes) {
  // Its first call loads a library.
  void* frame = nullptr;
  backtrace(&frame, 1);
  count = 0;
  chosen = number;
  least = least_bytes;
  failed = false;
  armed = true;
}
std::int64_t disarm() {
  armed = false;
  return count;
}
bool has_failed() { return failed; }

void watch() {
  void* frame = nullptr;
  backtrace(&frame, 1);
  seen = 0;
  watching = true;
}
std::int64_t watched() {
  watching = false;
  return seen;
}

}  // namespace failing_memory

using failing_memory::take;
using failing_memory::take_or_throw;

void* operator new(std::size_t n) { return take_or_throw(n, 0); }
void* operator new[](std::size_t n) { return take_or_throw(n, 0); }
void* operator new(std::size_t n, std::nothrow_t const&) noexcept { return take(n, 0); }
void* operator new[](std::size_t n, std::nothrow_t const&) noexcept { return take(n, 0); }
void* operator new(std::size_t n, std::align_val_t a) { return take_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return take_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new(std::size_t n, std::align_val_t a, std::nothrow_t const&) noexcept {
  return take(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a, std::nothrow_t const&) noexcept {
  return take(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::nothrow_t const&) noexcept { std::free(p); }
void operator delete[](void* p, std::nothrow_t const&) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t, std::nothrow_t const&) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t, std::nothrow_t const&) noexcept { std::free(p); }
