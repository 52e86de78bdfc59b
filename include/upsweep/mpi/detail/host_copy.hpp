// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/allocate.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace upsweep::mpi::detail {

template <class T>
using host_span = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

/// Memory of this execution space, not initialised.
template <class T, class ExecutionSpace>
auto allocate(ExecutionSpace const& space, std::size_t n, char const* function, char const* name) {
  return upsweep::allocate<T, typename ExecutionSpace::memory_space>(space, n, function, name);
}

/// A View of rank 1 as a vector. Waits for the instance.
template <class ExecutionSpace, class View>
auto to_host(ExecutionSpace const& space, View const& view) {
  std::vector<typename View::non_const_value_type> result(view.extent(0));
  Kokkos::deep_copy(space, host_span<typename View::non_const_value_type>(result.data(), result.size()), view);
  space.fence("upsweep::mpi::to_host");
  return result;
}

/// A vector in new device memory. Waits for the instance, since the vector may be gone after it.
template <class ExecutionSpace, class T>
auto to_device(ExecutionSpace const& space, std::vector<T> const& values, char const* function, char const* name) {
  auto const result = allocate<T>(space, values.size(), function, name);
  Kokkos::deep_copy(space, result, host_span<T const>(values.data(), values.size()));
  space.fence("upsweep::mpi::to_device");
  return result;
}

/// The policy of flat loops: 64-bit indices on this instance.
template <class ExecutionSpace>
auto range(ExecutionSpace const& space, std::size_t n) {
  return Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, n);
}

}  // namespace upsweep::mpi::detail
