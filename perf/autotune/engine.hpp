// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What engine::automatic is where the pipelined engine cannot run.

#include "candidate.hpp"

#include <upsweep/scan/detail/cache_tiles.hpp>
#include <upsweep/scan/detail/look_back.hpp>
#include <upsweep/scan/detail/reduce_then_scan.hpp>
#include <upsweep/scan/detail/two_level.hpp>

#include <memory>

namespace perf::autotune {

template <upsweep::engine>
struct engine_of_name;
template <>
struct engine_of_name<upsweep::engine::two_level> {
  using type = upsweep::detail::two_level_engine;
  static constexpr char const* name = "two_level";
};
template <>
struct engine_of_name<upsweep::engine::reduce_then_scan> {
  using type = upsweep::detail::reduce_then_scan_engine;
  static constexpr char const* name = "reduce_then_scan";
};
template <>
struct engine_of_name<upsweep::engine::look_back> {
  using type = upsweep::detail::look_back_engine;
  static constexpr char const* name = "look_back";
};

template <>
struct engine_of_name<upsweep::engine::cache_tiles> {
  using type = upsweep::detail::cache_tiles_engine;
  static constexpr char const* name = "cache_tiles";
};

template <upsweep::engine Engine, class T>
std::function<void()> prepare_engine(problem<T> const& p) {
  using engine = typename engine_of_name<Engine>::type;
  return [p, scan = scan_problem_of(p), memory = std::make_shared<upsweep::workspace>(p.instance)] {
    if constexpr (Engine == upsweep::engine::look_back) {
      std::byte* const region = memory->reserve_protocol(p.instance, engine::template region_bytes<space, T>(p.n()));
      engine::scan(p.instance, scan, {region, memory->protocol_bytes()}, {"autotune", {}});
    } else if constexpr (Engine == upsweep::engine::cache_tiles) {
      engine::scan(p.instance, scan, {"autotune", {}});
    } else {
      engine::scan(p.instance, scan, memory->reserve(p.instance, engine::template bytes<space, T>(p.n())), {"autotune", {}});
    }
  };
}

template <upsweep::engine Engine>
void add_engine(std::vector<candidate>& all) {
  if constexpr (Engine != upsweep::engine::cache_tiles || upsweep::detail::cache_tiles_engine::runs_on<space>) {
    std::string const name = engine_of_name<Engine>::name;
    candidate c{"engine", name, {"static constexpr engine automatic = engine::" + name + ";"},
                Engine == upsweep::detail::default_tuning<space>::automatic, {}, {}};
    c.of_int32.prepare = prepare_engine<Engine, std::int32_t>;
    c.of_int64.prepare = prepare_engine<Engine, std::int64_t>;
    all.push_back(std::move(c));
  }
}

}  // namespace perf::autotune
