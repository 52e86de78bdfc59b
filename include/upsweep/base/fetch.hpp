// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/label.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace upsweep {

namespace detail {

/// Copies n values that kernels of this space wrote to the host. Waits for the instance; `name` is the fence's.
template <class ExecutionSpace, class T>
void fetch(ExecutionSpace const& space, T const* device, T* host, std::size_t n, std::string const& name) {
  Kokkos::deep_copy(space, Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(host, n),
                    Kokkos::View<T const*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>(device, n));
  space.fence(name);
}

/// One value. The fence is upsweep::<function>::fetch.
template <class ExecutionSpace, class T>
T fetch_one(ExecutionSpace const& space, T const* device, char const* function) {
  T value;
  fetch(space, device, &value, 1, label(function, "fetch"));
  return value;
}

}  // namespace detail

/// The elements of a View of rank 1 as a vector: `auto const counts = to_host(space, device_counts);`.
///
/// Sync: waits for the instance.
template <class ExecutionSpace, class View>
auto to_host(ExecutionSpace const& space, View const& view) {
  using T = typename View::non_const_value_type;
  std::vector<T> result(view.extent(0));
  using span = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Kokkos::deep_copy(space, span(result.data(), result.size()), view);
  space.fence(label("to_host", "fetch"));
  return result;
}

}  // namespace upsweep
