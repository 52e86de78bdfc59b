// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What engine::automatic is where the pipelined engine cannot run.

#include "candidate.hpp"

#include <upsweep/scan/detail/calls/run_engine.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perf::autotune {

/// As a tuning header writes it.
template <class Engine>
constexpr char const* name_of_engine() {
  if constexpr (std::is_same_v<Engine, upsweep::engine::two_level>) return "two_level";
  else if constexpr (std::is_same_v<Engine, upsweep::engine::look_back>) return "look_back";
  else {
    static_assert(std::is_same_v<Engine, upsweep::engine::cache_tiles>, "the engine has no name here");
    return "cache_tiles";
  }
}

template <class Engine, class T>
std::function<void()> prepare_engine(problem<T> const& p) {
  using implementation = typename upsweep::scan::detail::engine_class<Engine, space>::type;
  return [p, scan = scan_problem_of(p), memory = std::make_shared<upsweep::workspace>(p.instance)] {
    upsweep::scan::detail::run_engine<implementation>(p.instance, scan, *memory, {"autotune", {}});
  };
}

template <class Engine>
void add_engine(std::vector<candidate>& all) {
  // Others are two_level where they cannot run.
  using implementation = typename upsweep::scan::detail::engine_class<Engine, space>::type;
  if constexpr (std::is_same_v<Engine, upsweep::engine::two_level> ||
                !std::is_same_v<implementation, upsweep::scan::detail::two_level_engine>) {
    std::string const name = name_of_engine<Engine>();
    candidate c{"engine",
                name,
                {"using automatic = engine::" + name + ";"},
                std::is_same_v<Engine, upsweep::engine::default_tuning<space>::automatic>,
                {},
                {}};
    c.of_int32.prepare = prepare_engine<Engine, std::int32_t>;
    c.of_int64.prepare = prepare_engine<Engine, std::int64_t>;
    all.push_back(std::move(c));
  }
}

}  // namespace perf::autotune
