// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What the cache_tiles engine does by the size of its input: on one thread or on all, through the caches or past them,
// and how many tiles go to a thread at once. All except the first only schedule.

#include "candidate.hpp"

#include <upsweep/scan/detail/cpu/cache_tiles.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace perf::autotune {

using host_defaults = upsweep::engine::default_tuning<space>;
using host_constants = upsweep::engine::tuning<space>;
/// Bytes of one of the tiles that these constants count.
inline constexpr std::size_t tile_bytes = host_constants::tile_bytes;

template <std::size_t ParallelTiles>
struct with_parallel_tiles : host_constants {
  static constexpr std::size_t parallel_tiles = ParallelTiles;
};
template <std::size_t StreamingBytes>
struct with_streaming_bytes : host_constants {
  static constexpr std::size_t streaming_bytes = StreamingBytes;
};
template <std::size_t GroupTiles, std::size_t LargestGroup>
struct with_groups : host_constants {
  static constexpr std::size_t group_tiles = GroupTiles, largest_group = LargestGroup;
};

template <class Constants, class T>
std::function<void()> prepare_cache_tiles(problem<T> const& p) {
  return [p, scan = scan_problem_of(p)] {
    upsweep::scan::detail::cache_tiles_engine::scan<Constants>(
        p.instance, scan, upsweep::scan::detail::make_cpu_tiles<Constants>(scan), {"autotune", {}});
  };
}

/// To be timed where the constants make a difference, from `least` to `most` bytes.
template <class Constants, class Space = space>
void add_cache_tiles(std::vector<candidate>& all, candidate c, std::size_t least, std::size_t most) {
  if constexpr (upsweep::scan::detail::cache_tiles_engine::runs_on<Space>) {
    c.of_int32 = {least / 4, most / 4, prepare_cache_tiles<Constants, std::int32_t>};
    c.of_int64 = {least / 8, most / 8, prepare_cache_tiles<Constants, std::int64_t>};
    all.push_back(std::move(c));
  }
}

inline std::string constant(char const* name, std::size_t value) {
  return "static constexpr std::size_t " + std::string(name) + " = " + std::to_string(value) + ";";
}

template <std::size_t Tiles>
void add_parallel_tiles(std::vector<candidate>& all) {
  add_cache_tiles<with_parallel_tiles<Tiles>>(all,
                                              {"parallel_tiles",
                                               "threads from " + std::to_string(Tiles) + " tiles",
                                               {constant("parallel_tiles", Tiles)},
                                               Tiles == host_defaults::parallel_tiles,
                                               {},
                                               {}},
                                              tile_bytes * 2, tile_bytes * 32);
}

template <std::size_t Mebibytes>
void add_streaming(std::vector<candidate>& all) {
  constexpr std::size_t bytes = Mebibytes << 20;
  add_cache_tiles<with_streaming_bytes<bytes>>(all,
                                               {"streaming",
                                                "past the caches from " + std::to_string(Mebibytes) + " MiB",
                                                {constant("streaming_bytes", bytes)},
                                                bytes == host_defaults::streaming_bytes,
                                                {},
                                                {}},
                                               std::size_t(1) << 20, std::numeric_limits<std::size_t>::max());
}

template <std::size_t Tiles, std::size_t Largest>
void add_groups(std::vector<candidate>& all) {
  static_assert(Tiles <= Largest);
  add_cache_tiles<with_groups<Tiles, Largest>>(
      all,
      {"groups",
       "all at once up to " + std::to_string(Largest) + " tiles, else by " + std::to_string(Tiles),
       {constant("group_tiles", Tiles), constant("largest_group", Largest)},
       Tiles == host_defaults::group_tiles && Largest == host_defaults::largest_group,
       {},
       {}},
      tile_bytes * 16, std::numeric_limits<std::size_t>::max());
}

}  // namespace perf::autotune
