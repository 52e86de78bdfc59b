// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace clusters {

using space_type = Kokkos::DefaultExecutionSpace;
using memory_space = space_type::memory_space;

/// One row of three a point, rows packed: they go to MPI without a copy.
using vectors = Kokkos::View<double* [3], Kokkos::LayoutRight, memory_space>;
using numbers = Kokkos::View<std::int64_t*, memory_space>;
using indices = Kokkos::View<int*, memory_space>;
using flags = Kokkos::View<std::uint8_t*, memory_space>;

inline auto points_range(space_type const& space, std::size_t n) {
  return Kokkos::RangePolicy<space_type, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(n));
}

template <class View>
View make(space_type const& space, char const* label, std::size_t n) {
  return View(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("upsweep-clusters::") + label), n);
}

/// The n rows of `values`. Waits for the instance, since the values may be gone after the call.
template <class View, class Value>
View to_device(space_type const& space, char const* label, std::vector<Value> const& values, std::size_t n) {
  View const view = make<View>(space, label, n);
  using device = Kokkos::View<Value*, memory_space, Kokkos::MemoryUnmanaged>;
  using host = Kokkos::View<Value const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  // Rows are packed, so rank 2 is rank 1 here.
  Kokkos::deep_copy(space, device(view.data(), values.size()), host(values.data(), values.size()));
  space.fence("upsweep-clusters::to_device");
  return view;
}

template <class View>
View first_rows(View const& all, std::size_t n) {
  auto const range = Kokkos::make_pair(std::size_t(0), n);
  if constexpr (upsweep::compat::rank<View> == 2) return Kokkos::subview(all, range, Kokkos::ALL);
  else return Kokkos::subview(all, range);
}

}  // namespace clusters
