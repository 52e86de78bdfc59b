// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>

// Constants for the test of constants: small, and no powers of two, so that small inputs reach every border.

namespace upsweep::engine {

template <>
struct tuning<Kokkos::DefaultExecutionSpace> : default_tuning<Kokkos::DefaultExecutionSpace> {
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  static constexpr int team_size = 64;
  static constexpr std::size_t bytes_per_thread = 24;
  using pipelined_4 = pipeline_shape<3, 2, 3, 80>;
  using pipelined_8 = pipeline_shape<5, 3, 1, 48>;
  using few_tiles_4 = striped_shape<3, 48, 1>;
  using few_tiles_8 = striped_shape<(warp_width == 64 ? 15 : 31), 32, 1, 0, 3>;
  static constexpr std::size_t few_tiles_bytes = 40000;
  using few_large_tiles_4 = striped_shape<5, 48, 2, 1, 2>;
  using few_large_tiles_8 = striped_shape<7, 80, 1>;
  static constexpr std::size_t few_large_tiles_bytes = 200000;
  using few_largest_tiles_8 = striped_shape<3, 96, 1>;
  static constexpr std::size_t few_largest_tiles_bytes = 300000;
#else
  static constexpr std::size_t tile_size = 1000;
  static constexpr std::size_t tile_bytes = 3 * 1024;
  static constexpr std::size_t parallel_tiles = 3;
  static constexpr std::size_t generic_tile_bytes = 1000;
  static constexpr std::size_t group_tiles = 3;
  static constexpr std::size_t largest_group = 5;
  static constexpr std::size_t generic_group_tiles = 3;
  static constexpr std::size_t largest_generic_group = 5;
  static constexpr std::size_t stored_tile_bytes = 1000;
  static constexpr std::size_t streaming_bytes = 100000;
#endif
  static constexpr std::size_t max_blocks = 7;
};

}  // namespace upsweep::engine
