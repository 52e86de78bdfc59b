// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>

namespace upsweep::internal {

/// Calls kernel(i) for i from 0 to count - 1, i an std::int64_t: by a thread each on GPUs, by run_on_cpu on CPUs.
/// make_label() returns the label. cost: as there.
template <class ExecutionSpace, class MakeLabel, class Kernel>
void for_each_index(ExecutionSpace const& space, MakeLabel const& make_label, std::size_t count, Kernel const& kernel,
                    [[maybe_unused]] work_cost cost = {}) {
  if constexpr (compat::is_gpu<ExecutionSpace>)
    Kokkos::parallel_for(make_label(), compat::light(index_policy(space, count)), kernel);
  else run_on_cpu(space, make_label, count, kernel, cost);
}
template <class ExecutionSpace, class Kernel>
void for_each_index(ExecutionSpace const& space, char const* label, std::size_t count, Kernel const& kernel) {
  for_each_index(space, [label] { return label; }, count, kernel);
}

}  // namespace upsweep::internal
