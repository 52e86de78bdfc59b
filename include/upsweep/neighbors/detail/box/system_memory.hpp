// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// One thread per system, and one more: copies the offsets of a batch. Where there is no system the only one twice.
template <class Offsets>
struct copy_offsets_kernel {
  Offsets from;
  int systems;
  std::int64_t* to;
  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    to[b] = static_cast<std::int64_t>(from(static_cast<std::size_t>(b < systems ? b : systems)));
  }
};

/// One thread per system: copies what a caller says of it, as 0 or 1.
template <class Flags>
struct copy_flags_kernel {
  Flags from;
  int* to;
  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    to[b] = static_cast<bool>(from(static_cast<std::size_t>(b))) ? 1 : 0;
  }
};

/// Where a batch keeps its systems: offsets, one more than boxes, and boxes. No system is as good as an empty one, and
/// no step has to ask: then there is one.
template <class Real>
struct system_memory {
  std::int64_t* offsets;
  box<Real>* boxes;

  /// Copies them, of which batch_offsets is a View that kernels read, given a vector or a View. Asynchronous for a
  /// View.
  template <class ExecutionSpace, class Offsets, class Boxes>
  void copy(ExecutionSpace const& space, Offsets const& batch_offsets, Boxes const& given) const {
    using box_type = box<Real>;
    using memory_space = typename ExecutionSpace::memory_space;
    int const systems = static_cast<int>(given.size());
    std::size_t const n = systems > 0 ? given.size() : 1;
    Kokkos::View<box_type*, memory_space, Kokkos::MemoryUnmanaged> const to(boxes, n);
    internal::for_each_index(space, "upsweep::batched_neighbor_list::offsets", n + 1,
                             copy_offsets_kernel<Offsets>{batch_offsets, systems, offsets});
    if (systems == 0) return Kokkos::deep_copy(space, to, box_type({0, 0, 0}, {1, 1, 1}));
    if constexpr (Kokkos::is_view_v<Boxes>) Kokkos::deep_copy(space, to, given);
    else
      Kokkos::deep_copy(space, to,
                        Kokkos::View<box_type const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(given.data(), n));
  }
};

}  // namespace upsweep::neighbors::detail
