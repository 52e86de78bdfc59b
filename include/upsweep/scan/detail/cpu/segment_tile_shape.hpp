// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <cstddef>

namespace upsweep::scan::detail {

/// The length of the tiles of segments (segmented_tiles.hpp, run_sum_tiles.hpp), and how CPU threads share them
/// (cpu_tiles.hpp). Folds: segment_folds. Other: the type of what a tile reads or writes for an element beside that.
template <class Tuning, class Folds, class Other>
struct segment_tile_shape {
  /// Short elements have fewer of the tile's bytes: keys are as long as they are for long ones.
  static constexpr std::size_t element_bytes =
      std::max({sizeof(typename Folds::value_type), sizeof(typename Folds::input), sizeof(Other), std::size_t(4)});
  static constexpr std::size_t size = std::max<std::size_t>(64, Tuning::segmented_tile_bytes / element_bytes);
  static constexpr std::size_t parallel_tiles = 2;
  static constexpr std::size_t tiles_per_thread = 1;
  static constexpr double least_nanoseconds = Tuning::least_generic_nanoseconds;
  static constexpr std::size_t group_tiles = 1, largest_group = Tuning::largest_segmented_group;
  static constexpr std::size_t polls_a_tile = Tuning::segmented_polls_a_tile;
};

}  // namespace upsweep::scan::detail
