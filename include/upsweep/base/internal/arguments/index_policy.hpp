// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::internal {

/// The indices 0 ... count - 1 as kernels take them: std::int64_t.
template <class ExecutionSpace>
auto index_policy(ExecutionSpace const& space, std::size_t count) {
  using policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  return policy(space, 0, static_cast<std::int64_t>(count));
}

/// One thread, for a kernel that finishes what others began.
template <class ExecutionSpace>
auto one_thread(ExecutionSpace const& space) {
  return Kokkos::RangePolicy<ExecutionSpace>(space, 0, 1);
}

}  // namespace upsweep::internal
