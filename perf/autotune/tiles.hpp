// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Tiles and blocks of the engines that run on every backend, timed with two_level.

#include "candidate.hpp"

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/scan/detail/portable/two_level.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perf::autotune {

template <std::size_t TileSize, std::size_t MaxBlocks, class Space = space>
struct cpu_tiles : upsweep::engine::tuning<Space> {
  static constexpr std::size_t tile_size = TileSize, max_blocks = MaxBlocks;
  using own = upsweep::engine::default_tuning<Space>;
  static constexpr bool is_own = tile_size == own::tile_size && max_blocks == own::max_blocks;
  static std::string name() { return std::to_string(tile_size) + " a tile, " + std::to_string(max_blocks) + " blocks"; }
  static std::vector<std::string> declarations() {
    return {"static constexpr std::size_t tile_size = " + std::to_string(tile_size) + ";",
            "static constexpr std::size_t max_blocks = " + std::to_string(max_blocks) + ";"};
  }
};

template <int TeamSize, std::size_t BytesPerThread, std::size_t MaxBlocks, class Space = space>
struct gpu_tiles : upsweep::engine::tuning<Space> {
  static constexpr int team_size = TeamSize;
  static constexpr std::size_t bytes_per_thread = BytesPerThread, max_blocks = MaxBlocks;
  using own = upsweep::engine::default_tuning<Space>;
  static constexpr bool is_own =
      team_size == own::team_size && bytes_per_thread == own::bytes_per_thread && max_blocks == own::max_blocks;
  static std::string name() {
    return std::to_string(team_size) + " threads of " + std::to_string(bytes_per_thread) + " bytes, " +
           std::to_string(max_blocks) + " blocks";
  }
  static std::vector<std::string> declarations() {
    return {"static constexpr int team_size = " + std::to_string(team_size) + ";",
            "static constexpr std::size_t bytes_per_thread = " + std::to_string(bytes_per_thread) + ";",
            "static constexpr std::size_t max_blocks = " + std::to_string(max_blocks) + ";"};
  }
};

template <class Constants, class T>
std::function<void()> prepare_two_level(problem<T> const& p) {
  using engine = upsweep::scan::detail::two_level_engine;
  return [p, scan = scan_problem_of(p), memory = std::make_shared<upsweep::workspace>(p.instance)] {
    std::byte* const sums =
        upsweep::internal::access::reserve(*memory, p.instance, engine::bytes<space, T, Constants>(p.n()));
    engine::scan<space, scan_problem<T>, Constants>(p.instance, scan, sums, {"autotune", {}});
  };
}

template <class Constants>
void add_tiles(std::vector<candidate>& all) {
  candidate c{"tiles", Constants::name(), Constants::declarations(), Constants::is_own, {}, {}};
  c.of_int32.prepare = prepare_two_level<Constants, std::int32_t>;
  c.of_int64.prepare = prepare_two_level<Constants, std::int64_t>;
  all.push_back(std::move(c));
}

}  // namespace perf::autotune
