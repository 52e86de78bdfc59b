// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The engines that tests go through, in one place: an engine that is new here is tested everywhere. Tests whose subject
// are the engines take them all, by name: a call compiles the kernels of nine engines then. Others take the default, or
// the engines of production, as types.

#include <upsweep/scan/study/engine_name.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>

namespace oracle {

using upsweep::study::engine_name;

/// No `default`, so that compilers name an engine that is missing here.
constexpr char const* name_of(engine_name which) {
  switch (which) {
    case engine_name::automatic: return "automatic";
    case engine_name::sequential: return "sequential";
    case engine_name::scan_then_propagate: return "scan_then_propagate";
    case engine_name::reduce_then_scan: return "reduce_then_scan";
    case engine_name::two_level: return "two_level";
    case engine_name::chained: return "chained";
    case engine_name::one_lane_look_back: return "one_lane_look_back";
    case engine_name::look_back: return "look_back";
    case engine_name::pipelined: return "pipelined";
    case engine_name::cache_tiles: return "cache_tiles";
  }
  return nullptr;
}

inline constexpr std::array all_engines{
    engine_name::automatic, engine_name::sequential, engine_name::scan_then_propagate, engine_name::reduce_then_scan,
    engine_name::two_level, engine_name::chained,    engine_name::one_lane_look_back,  engine_name::look_back,
    engine_name::pipelined, engine_name::cache_tiles};
static_assert(name_of(all_engines.back()) != nullptr &&
                  name_of(static_cast<engine_name>(all_engines.size())) == nullptr,
              "all_engines does not have all engines");

/// Those for inputs of any size: the sequential one takes minutes for many elements on a GPU.
inline constexpr auto parallel_engines = [] {
  std::array<engine_name, all_engines.size() - 1> some{};
  std::copy_if(all_engines.begin(), all_engines.end(), some.begin(),
               [](engine_name e) { return e != engine_name::sequential; });
  return some;
}();

/// The name of an engine that is a type.
template <class Engine>
constexpr char const* name_of() {
  if constexpr (std::is_same_v<Engine, upsweep::engine::automatic>) return "automatic";
  else if constexpr (std::is_same_v<Engine, upsweep::engine::two_level>) return "two_level";
  else if constexpr (std::is_same_v<Engine, upsweep::engine::look_back>) return "look_back";
  else if constexpr (std::is_same_v<Engine, upsweep::engine::pipelined>) return "pipelined";
  else if constexpr (std::is_same_v<Engine, upsweep::study::one_lane_look_back>) return "one_lane_look_back";
  else return std::is_same_v<Engine, upsweep::engine::cache_tiles> ? "cache_tiles" : nullptr;
}

/// Calls f<Engine>() for each of the engines.
template <class... Engines, class F>
void for_engines(F const& f) {
  static_assert(((name_of<Engines>() != nullptr) && ...), "an engine has no name here");
  (f.template operator()<Engines>(), ...);
}

/// The engine that has the protocol of look-back on this backend: on CPUs one for study.
using look_back = std::conditional_t<upsweep::compat::is_gpu<Kokkos::DefaultExecutionSpace>, upsweep::engine::look_back,
                                     upsweep::study::one_lane_look_back>;

/// What production can come to on this backend, and look-back on CPUs, too, where threads and tools that watch them go
/// through its protocol. pipelined and cache_tiles are `automatic` where they can run.
template <class F>
void for_production_engines(F const& f) {
  for_engines<upsweep::engine::automatic, upsweep::engine::two_level, look_back>(f);
}

}  // namespace oracle
