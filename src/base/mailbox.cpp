// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/internal/memory/mailbox.hpp>

#include <mutex>
#include <vector>

namespace upsweep::internal {

namespace {

using memory_space = compat::mailbox_space<Kokkos::DefaultExecutionSpace>;

/// As many mailboxes as the program's calls have had at once.
struct mailbox_pool {
  std::mutex mutex;
  std::vector<Kokkos::View<std::byte*, memory_space>> all;
  std::vector<std::byte*> free;
};

mailbox_pool& pool() {
  static mailbox_pool of_program;
  return of_program;
}

void add_mailbox(mailbox_pool& boxes) {
  if (boxes.all.empty()) {
    Kokkos::push_finalize_hook([] {
      pool().all.clear();
      pool().free.clear();
    });
  }
  boxes.all.emplace_back(Kokkos::view_alloc("upsweep::mailbox", Kokkos::WithoutInitializing), mailbox_bytes);
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
