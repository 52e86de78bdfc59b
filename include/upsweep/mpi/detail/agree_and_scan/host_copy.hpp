// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/fetch.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace upsweep::mpi::detail {

template <class T>
using host_span = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

/// Memory of this execution space, not initialised.
template <class T, class ExecutionSpace>
auto allocate(ExecutionSpace const& space, std::size_t n, char const* function, char const* name) {
  return upsweep::internal::allocate<T, typename ExecutionSpace::memory_space>(space, n, function, name);
}

/// A vector in new device memory. Waits for the instance, since the vector may be gone after it.
template <class ExecutionSpace, class T>
auto to_device(ExecutionSpace const& space, std::vector<T> const& values, char const* function, char const* name) {
  auto const result = allocate<T>(space, values.size(), function, name);
  Kokkos::deep_copy(space, result, host_span<T const>(values.data(), values.size()));
  space.fence("upsweep::mpi::to_device");
  return result;
}

/// Entries of a device View at some places, on the host.
template <class View, class Places, class Out>
struct gather_places {
  View view;
  Places places;
  Out out;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { out(i) = static_cast<std::size_t>(view(places(i))); }
};
template <class ExecutionSpace, class View>
std::vector<std::size_t> entries_at(ExecutionSpace const& space, View const& view,
                                    std::vector<std::size_t> const& places, char const* function) {
  auto const at = to_device(space, places, function, "places");
  auto const out = allocate<std::size_t>(space, places.size(), function, "entries");
  using gather = gather_places<View, std::remove_cvref_t<decltype(at)>, std::remove_cvref_t<decltype(out)>>;
  upsweep::internal::for_each_index(
      space, [&] { return internal::label(function, "entries"); }, places.size(), gather{view, at, out});
  return to_host(space, out);
}

}  // namespace upsweep::mpi::detail
