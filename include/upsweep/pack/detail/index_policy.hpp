// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// The indices 0 ... count - 1, as the kernels of the moving calls take them: std::int64_t.
template <class ExecutionSpace>
auto index_policy(ExecutionSpace const& space, std::size_t count) {
  return Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(count));
}

}  // namespace upsweep::detail
