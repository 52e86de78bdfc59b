// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/internal/memory/mailbox.hpp>

#include <mutex>
#include <utility>
#include <vector>

namespace upsweep::internal {

namespace {

using memory_space = compat::mailbox_space<Kokkos::DefaultExecutionSpace>;

/// The mailboxes of the program: as many as calls have had at once.
struct mailbox_pool {
  std::mutex mutex;
  std::vector<Kokkos::View<std::byte*, memory_space>> all;
  std::vector<std::byte*> free;
  bool has_hook = false;
};

/// Never destroyed: Kokkos may be finalized after the statics of this file would be, and a View may not be freed later
/// than that.
mailbox_pool& pool() {
  static auto& of_program = *new mailbox_pool;
  return of_program;
}

void add_mailbox(mailbox_pool& boxes) {
  // Once: Kokkos runs a hook that is pushed by a hook in its place.
  if (!std::exchange(boxes.has_hook, true)) {
    Kokkos::push_finalize_hook([] {
      pool().all.clear();
      pool().free.clear();
    });
  }
  boxes.all.emplace_back(Kokkos::view_alloc("upsweep::mailbox", Kokkos::WithoutInitializing), mailbox_bytes);
  boxes.free.reserve(boxes.all.size());  // so that take_mailbox_back() needs no memory
  boxes.free.push_back(boxes.all.back().data());
}

}  // namespace

std::byte* lend_mailbox() {
  auto& boxes = pool();
  std::lock_guard const lock(boxes.mutex);
  if (boxes.free.empty()) add_mailbox(boxes);
  std::byte* const lent = boxes.free.back();
  boxes.free.pop_back();
  return lent;
}

void take_mailbox_back(std::byte* memory) {
  auto& boxes = pool();
  std::lock_guard const lock(boxes.mutex);
  boxes.free.push_back(memory);
}

}  // namespace upsweep::internal
