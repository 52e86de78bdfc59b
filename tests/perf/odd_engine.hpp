// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Another engine than the library's own as `automatic`, with more temporary memory, and few blocks and small tiles,
// which widen the difference.

namespace upsweep::detail {

template <>
struct tuning<Kokkos::DefaultExecutionSpace> : default_tuning<Kokkos::DefaultExecutionSpace> {
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  static constexpr int team_size = 32;
#else
  static constexpr std::size_t tile_size = 16;
#endif
  static constexpr std::size_t max_blocks = 3;
  static constexpr engine automatic = engine::scan_then_propagate;
};

}  // namespace upsweep::detail
