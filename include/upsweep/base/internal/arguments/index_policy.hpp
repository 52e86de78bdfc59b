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

/// Calls kernel(0) on one thread, to finish what others began: on CPUs the calling one. make_label() returns the label.
template <class ExecutionSpace, class MakeLabel, class Kernel>
void run_on_one_thread(ExecutionSpace const& space, MakeLabel const& make_label, Kernel const& kernel) {
  if constexpr (compat::launches_wait<ExecutionSpace>)
    compat::run_on_this_thread(space, make_label, [&] { kernel(0); });
  else Kokkos::parallel_for(make_label(), Kokkos::RangePolicy<ExecutionSpace>(space, 0, 1), kernel);
}

}  // namespace upsweep::internal
