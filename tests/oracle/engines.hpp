// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The engines that tests go through, as types, in one place: an engine that is new in scan/study/engines.hpp is tested
// wherever all are. Tests whose subject are the engines take them all; what they call is compiled for ten engines then.
// Others take the default, or the engines of production.

#include <upsweep/scan/study/engines.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace oracle {

/// Throws std::logic_error for a type that is no engine.
template <class Engine>
char const* name_of() {
  char const* name = nullptr;
  upsweep::study::for_each_engine([&](char const* each, auto engine) {
    if constexpr (std::is_same_v<decltype(engine), Engine>) name = each;
  });
  if (name == nullptr) throw std::logic_error("this type is no engine");
  return name;
}

/// Calls f<Engine>() for each of the engines.
template <class... Engines, class F>
void for_engines(F const& f) {
  (f.template operator()<Engines>(), ...);
}

template <class F>
void for_all_engines(F const& f) {
  upsweep::study::for_each_engine([&](char const*, auto engine) { f.template operator()<decltype(engine)>(); });
}

/// Those for inputs of any size: the sequential one takes minutes for many elements on a GPU.
template <class F>
void for_parallel_engines(F const& f) {
  for_all_engines([&]<class Engine>() {
    if constexpr (!std::is_same_v<Engine, upsweep::study::sequential>) f.template operator()<Engine>();
  });
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

/// The names of all engines, for tests that have one of them as their parameter.
inline std::vector<std::string> names_of_engines() {
  std::vector<std::string> names;
  for_all_engines([&]<class Engine>() { names.emplace_back(name_of<Engine>()); });
  return names;
}

}  // namespace oracle
