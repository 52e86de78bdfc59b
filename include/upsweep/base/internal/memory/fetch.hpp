// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/memory/mailbox.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <string>

namespace upsweep::internal {

/// Copies n values that kernels of this space wrote to the host. Waits for the instance; `name` is the fence's.
template <class ExecutionSpace, class T>
void fetch(ExecutionSpace const& space, T const* device, T* host, std::size_t n, std::string const& name) {
  // Bytes: Kokkos makes a kernel of a copy to memory that both reach, and kernels of CUDA name no private types.
  using mail_space = compat::mailbox_space<ExecutionSpace>;
  std::size_t const bytes = n * sizeof(T);
  Kokkos::View<unsigned char const*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged> const from(
      reinterpret_cast<unsigned char const*>(device), bytes);
  if (compat::is_gpu<ExecutionSpace> && bytes <= mailbox_bytes) {
    mailbox<ExecutionSpace> box(space);
    auto* const to = box.template place<unsigned char>();
    Kokkos::deep_copy(space, Kokkos::View<unsigned char*, mail_space, Kokkos::MemoryUnmanaged>(to, bytes), from);
    box.take(host, n, name);
  } else {
    auto* const to = reinterpret_cast<unsigned char*>(host);
    Kokkos::deep_copy(space, Kokkos::View<unsigned char*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(to, bytes), from);
    space.fence(name);
  }
}

/// One value. The fence is upsweep::<function>::fetch.
template <class ExecutionSpace, class T>
T fetch_one(ExecutionSpace const& space, T const* device, char const* function) {
  T value;
  fetch(space, device, &value, 1, label(function, "fetch"));
  return value;
}

}  // namespace upsweep::internal
