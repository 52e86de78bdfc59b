// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/neighbors/detail/options/require_one_each.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

struct widen_ids_kernel {
  std::int32_t const* from;
  std::int64_t* to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// Options as kernels read them, with ids of 64 bits: those of 32 are copied, so that no kernel has two forms. Keeps
/// its memory.
template <class ExecutionSpace>
class wide_ids {
 public:
  /// Of a list of n particles. Throws precondition_error as require_one_each.
  void set(ExecutionSpace const& space, particle_ids const& ids, std::int64_t n, char const* function) {
    require_one_each<ExecutionSpace>(ids.wide(), n, function, "ids");
    require_one_each<ExecutionSpace>(ids.narrow(), n, function, "ids");
    if (!ids.narrow().given()) return;
    internal::grow(space, ids_, ids.extent(0), function, "wide_ids");
    internal::for_each_index(space, "upsweep::neighbor_list::widen_ids", ids.extent(0),
                             widen_ids_kernel{ids.narrow().data(), ids_.data()});
  }

  /// The options with the copies that set() has made of their ids.
  neighbor_options in(neighbor_options const& options) const {
    neighbor_options wide = options;
    if (options.ids.narrow().given())
      wide.ids = Kokkos::View<std::int64_t const*, memory_space>(ids_.data(), options.ids.extent(0));
    return wide;
  }

  /// Device memory held.
  std::size_t bytes() const { return ids_.extent(0) * sizeof(std::int64_t); }

 private:
  using memory_space = typename ExecutionSpace::memory_space;
  Kokkos::View<std::int64_t*, memory_space> ids_;
};

}  // namespace upsweep::neighbors::detail
