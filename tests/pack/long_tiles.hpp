// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>

// Inputs of every length are selected from, and their runs reduced, as long ones are, so that tests reach those kernels
// with few elements.

namespace upsweep::engine {

template <>
struct tuning<Kokkos::DefaultExecutionSpace> : default_tuning<Kokkos::DefaultExecutionSpace> {
  static constexpr std::size_t short_selection_bytes = 0;
  static constexpr std::size_t short_runs_bytes = 0;
  static constexpr std::size_t short_run_sums_bytes = 0;
};

}  // namespace upsweep::engine
