// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Shapes of the pipelined engine: of the teams that stay, and of those that have one tile each.

#include "candidate.hpp"

#include <upsweep/scan/detail/pipelined.hpp>

#include <memory>
#include <type_traits>

namespace perf::autotune {

using pipeline = upsweep::detail::pipelined_engine;
using default_tuning = upsweep::detail::default_tuning<space>;

/// The three ways of the engine, for inputs of growing size.
enum class way { few, few_large, many };

/// A shape for one way, and the others out of the way.
template <way Way, class Shape>
struct with_shape;
template <class Shape>
struct with_shape<way::many, Shape> : upsweep::detail::tuning<space> {
  using pipelined_4 = Shape;
  using pipelined_8 = Shape;
  static constexpr std::size_t few_tiles_bytes = 0, few_large_tiles_bytes = 0;
};
template <class Shape>
struct with_shape<way::few, Shape> : upsweep::detail::tuning<space> {
  using few_tiles_4 = Shape;
  using few_tiles_8 = Shape;
  static constexpr std::size_t few_tiles_bytes = std::numeric_limits<std::size_t>::max();
};
template <class Shape>
struct with_shape<way::few_large, Shape> : upsweep::detail::tuning<space> {
  using few_large_tiles_4 = Shape;
  using few_large_tiles_8 = Shape;
  static constexpr std::size_t few_tiles_bytes = 0, few_large_tiles_bytes = std::numeric_limits<std::size_t>::max();
};

template <way Way, class Constants, class T>
std::function<void()> prepare_pipelined(problem<T> const& p) {
  return [p, scan = scan_problem_of(p), memory = std::make_shared<upsweep::workspace>(p.instance)] {
    std::byte* const region = memory->reserve_protocol(p.instance, pipeline::region_bytes<space, scan_problem<T>, Constants>(p.n()));
    upsweep::detail::look_back_memory const where{region, memory->protocol_bytes()};
    upsweep::detail::scan_names const names{"autotune", {}};
    if constexpr (Way == way::few) pipeline::scan_few<space, scan_problem<T>, Constants>(p.instance, scan, where, names);
    else if constexpr (Way == way::few_large) pipeline::scan_few_large<space, scan_problem<T>, Constants>(p.instance, scan, where, names);
    else pipeline::scan_many<space, scan_problem<T>, Constants>(p.instance, scan, where, names);
  };
}

/// Smaller inputs are timed as few tiles only. Where both can be had, they meet.
inline constexpr std::size_t least_pipelined = std::size_t(1) << 16;
/// Bytes of stages that a team may have under Kokkos' limit of 48 KiB.
inline constexpr int small_scratch = 45 * 1024;

template <int Workers, int Stages, int Teams, int BytesPerThread, class Space = space>
void add_pipelined(std::vector<candidate>& all) {
  constexpr bool fits = upsweep::compat::has_large_scratch || Workers * 32 * Stages * BytesPerThread <= small_scratch;
  if constexpr (fits && pipeline::takes<Space, scan_problem<std::int32_t>>()) {
    using constants = with_shape<way::many, upsweep::detail::pipeline_shape<Workers, Stages, Teams, BytesPerThread>>;
    auto const text = [](int value) { return std::to_string(value); };
    candidate c{"pipelined",
                text(Workers) + " workers, " + text(Stages) + " stages, " + text(Teams) + " teams, " + text(BytesPerThread) + " bytes",
                {"using pipelined_{} = pipeline_shape<" + text(Workers) + ", " + text(Stages) + ", " + text(Teams) + ", " +
                 text(BytesPerThread) + ">;"},
                {std::is_same_v<typename constants::pipelined_4, typename default_tuning::pipelined_4>,
                 std::is_same_v<typename constants::pipelined_8, typename default_tuning::pipelined_8>},
                {}, {}};
    c.of_int32.least = c.of_int64.least = least_pipelined;
    c.of_int32.prepare = prepare_pipelined<way::many, constants, std::int32_t>;
    c.of_int64.prepare = prepare_pipelined<way::many, constants, std::int64_t>;
    all.push_back(std::move(c));
  }
}

template <int Workers, int BytesPerThread, class Space = space>
void add_few_tiles(std::vector<candidate>& all) {
  if constexpr (pipeline::takes<Space, scan_problem<std::int32_t>>()) {
    using constants = with_shape<way::few, upsweep::detail::few_tiles_shape<Workers, BytesPerThread>>;
    auto const text = [](int value) { return std::to_string(value); };
    candidate c{"few_tiles",
                text(Workers) + " workers of " + text(BytesPerThread) + " bytes",
                {"using few_tiles_{} = few_tiles_shape<" + text(Workers) + ", " + text(BytesPerThread) + ">;"},
                {std::is_same_v<typename constants::few_tiles_4, typename default_tuning::few_tiles_4>,
                 std::is_same_v<typename constants::few_tiles_8, typename default_tuning::few_tiles_8>},
                {}, {}};
    c.of_int32.most = pipeline::most_of_few<scan_problem<std::int32_t>, constants>();
    c.of_int64.most = pipeline::most_of_few<scan_problem<std::int64_t>, constants>();
    c.of_int32.prepare = prepare_pipelined<way::few, constants, std::int32_t>;
    c.of_int64.prepare = prepare_pipelined<way::few, constants, std::int64_t>;
    all.push_back(std::move(c));
  }
}

template <int Workers, int BytesPerThread, int Teams, class Space = space>
void add_few_large_tiles(std::vector<candidate>& all) {
  constexpr bool fits = upsweep::compat::has_large_scratch || Workers * 32 * BytesPerThread <= small_scratch;
  if constexpr (fits && pipeline::takes<Space, scan_problem<std::int32_t>>()) {
    using constants = with_shape<way::few_large, upsweep::detail::few_tiles_shape<Workers, BytesPerThread, Teams>>;
    auto const text = [](int value) { return std::to_string(value); };
    candidate c{"few_large_tiles",
                text(Workers) + " workers of " + text(BytesPerThread) + " bytes, " + text(Teams) + " teams",
                {"using few_large_tiles_{} = few_tiles_shape<" + text(Workers) + ", " + text(BytesPerThread) + ", " + text(Teams) + ">;"},
                {std::is_same_v<typename constants::few_large_tiles_4, typename default_tuning::few_large_tiles_4>,
                 std::is_same_v<typename constants::few_large_tiles_8, typename default_tuning::few_large_tiles_8>},
                {}, {}};
    c.of_int32.least = c.of_int64.least = least_pipelined;
    c.of_int32.most = pipeline::most_of_few_large<scan_problem<std::int32_t>, constants>();
    c.of_int64.most = pipeline::most_of_few_large<scan_problem<std::int64_t>, constants>();
    c.of_int32.prepare = prepare_pipelined<way::few_large, constants, std::int32_t>;
    c.of_int64.prepare = prepare_pipelined<way::few_large, constants, std::int64_t>;
    all.push_back(std::move(c));
  }
}

}  // namespace perf::autotune
