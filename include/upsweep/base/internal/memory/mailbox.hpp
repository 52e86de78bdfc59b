// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

namespace upsweep::internal {

/// What a mailbox has room for.
inline constexpr std::size_t mailbox_bytes = 192, mailbox_alignment = 64;

/// Memory of the host that a GPU's kernels write, mailbox_bytes long. Memory that comes back is kept for later calls,
/// and freed when Kokkos is finalized.
std::byte* lend_mailbox();
void take_mailbox_back(std::byte* memory);

/// Where the kernels of one call leave what the host wants to know, and copies to the host end:
/// `mailbox<ExecutionSpace> box(space); launch(space, box.template place<T>()); box.take(&result, 1, label);`
/// Kernels do not read it: from a GPU that takes as long as a launch. If a call ends with an exception before take(),
/// the destructor waits for the instance, because a kernel may still write, and the memory is lent again.
/// H200, 2026-11-28, a kernel of one warp and its result, us: copied to a variable 14.4, copied to a mailbox 12.2,
/// written there by the kernel 9.9; the kernel alone 9.8.
template <class ExecutionSpace, bool OnGpu = compat::is_gpu<ExecutionSpace>>
class mailbox {
 public:
  /// The instance whose kernels write. It outlives the mailbox.
  explicit mailbox(ExecutionSpace const& space) : space_(space) {}
  mailbox(mailbox const&) = delete;
  mailbox& operator=(mailbox const&) = delete;
  ~mailbox() {
    if (memory_ == nullptr) return;
    // Where waiting fails, too, the device is lost. The memory is never lent again then.
    try {
      space_.fence("upsweep::mailbox::unread");
      take_mailbox_back(memory_);
    } catch (...) {
    }
  }

  /// Room for n values with n * sizeof(T) <= mailbox_bytes.
  template <class T>
  T* place() {
    static_assert(alignof(T) <= mailbox_alignment);
    if (memory_ == nullptr) memory_ = lend_mailbox();
    return reinterpret_cast<T*>(memory_);
  }
  /// Whether a place was asked for.
  bool is_in_use() const { return memory_ != nullptr; }

  /// Waits for the instance and copies the first n values. `name` is the fence's. To be called once, behind place().
  template <class T>
  void take(T* to, std::size_t n, std::string const& name) {
    space_.fence(name);
    std::memcpy(static_cast<void*>(to), memory_, n * sizeof(T));
    take_mailbox_back(std::exchange(memory_, nullptr));
  }

 private:
  ExecutionSpace const& space_;
  std::byte* memory_ = nullptr;
};

/// The same for threads of a CPU, which reach all of its memory.
template <class ExecutionSpace>
class mailbox<ExecutionSpace, false> {
 public:
  explicit mailbox(ExecutionSpace const& space) : space_(space) {}
  mailbox(mailbox const&) = delete;
  mailbox& operator=(mailbox const&) = delete;

  template <class T>
  T* place() {
    static_assert(alignof(T) <= mailbox_alignment);
    is_in_use_ = true;
    return reinterpret_cast<T*>(memory_);
  }
  bool is_in_use() const { return is_in_use_; }
  template <class T>
  void take(T* to, std::size_t n, std::string const& name) {
    space_.fence(name);
    std::memcpy(static_cast<void*>(to), memory_, n * sizeof(T));
  }

 private:
  bool is_in_use_ = false;
  ExecutionSpace const& space_;
  alignas(mailbox_alignment) std::byte memory_[mailbox_bytes];
};

}  // namespace upsweep::internal
