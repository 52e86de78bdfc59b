// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace upsweep {

/// The elements of a View of rank 1 as a vector: `auto const counts = to_host(space, device_counts);`.
///
/// Sync: waits for the instance.
template <class ExecutionSpace, view_of_rank_1 View>
auto to_host(ExecutionSpace const& space, View const& view) {
  using T = typename View::non_const_value_type;
  static_assert(!std::is_same_v<T, bool>, "upsweep::to_host: a std::vector<bool> has no memory to copy to.");
  std::vector<T> result(view.extent(0));
  using span = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Kokkos::deep_copy(space, span(result.data(), result.size()), view);
  space.fence(internal::label("to_host", "fetch"));
  return result;
}

}  // namespace upsweep
