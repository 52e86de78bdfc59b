// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>

// Two_level as `automatic`, also where the library has an engine without temporary memory, with small tiles and
// more blocks than the library's own: much more temporary memory than anybody would expect who counts with the
// library's constants.

namespace upsweep::engine {

template <>
struct tuning<Kokkos::DefaultExecutionSpace> : default_tuning<Kokkos::DefaultExecutionSpace> {
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  static constexpr int team_size = 32;
#else
  static constexpr std::size_t tile_size = 16;
#endif
  static constexpr std::size_t max_blocks = 8192;
  using automatic = engine::two_level;
};

}  // namespace upsweep::engine
