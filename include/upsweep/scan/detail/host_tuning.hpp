// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>

namespace upsweep::detail {

/// The numbers of the cache_tiles engine. Measured on two cores of a Xeon (Sapphire Rapids, 48 KB L1, 2 MB L2 a core,
/// 105 MB L3), 2026-11-21, 2 threads, g++ 16.
struct host_tuning {
  // These fix the association, and with it the bits of a floating-point result.

  /// Bytes of built-in elements a tile: folded into the L1 or L2 cache, and scanned out of it.
  static constexpr std::size_t tile_bytes = 32 * 1024;
  /// Tiles of built-in elements below which the whole input is one tile: such a scan is cheaper than a fork.
  static constexpr std::size_t parallel_tiles = 4;
  /// Bytes of other elements a tile; folded and scanned four tiles at a time, as four independent chains.
  static constexpr std::size_t generic_tile_bytes = 8 * 1024;

  // These only schedule.

  /// Tiles of a group where the input comes from memory: one hand-over and 128 KB a group.
  static constexpr std::size_t group_tiles = 4;
  /// Tiles a thread may hold at most when every thread takes one run of them: input and output fit the L2 cache.
  static constexpr std::size_t largest_group = 16;
  /// Output from which stores bypass the caches.
  static constexpr std::size_t streaming_bytes = 32 * 1024 * 1024;
};

}  // namespace upsweep::detail
