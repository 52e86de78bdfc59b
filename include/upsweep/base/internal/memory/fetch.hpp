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
  using mail_space = compat::mailbox_space<ExecutionSpace>;
  Kokkos::View<T const*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged> const from(device, n);
  if (compat::is_gpu<ExecutionSpace> && n * sizeof(T) <= mailbox_bytes) {
    mailbox<ExecutionSpace> box;
    Kokkos::deep_copy(space, Kokkos::View<T*, mail_space, Kokkos::MemoryUnmanaged>(box.template place<T>(), n), from);
    box.take(space, host, n, name);
  } else {
    Kokkos::deep_copy(space, Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(host, n), from);
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
