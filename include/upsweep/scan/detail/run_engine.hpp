// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/cache_tiles.hpp>
#include <upsweep/scan/detail/look_back.hpp>
#include <upsweep/scan/detail/pipelined.hpp>
#include <upsweep/scan/detail/two_level.hpp>
#include <upsweep/scan/detail/warp_look_back.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::detail {

/// The class that implements an engine on a backend for problems that the pipelined engine does not take.
template <class Engine, class ExecutionSpace>
struct portable_implementation;
template <class ExecutionSpace>
struct portable_implementation<engine::two_level, ExecutionSpace> {
  using type = two_level_engine;
};
template <class ExecutionSpace>
struct portable_implementation<engine::look_back, ExecutionSpace> {
  using type = std::conditional_t<warp_look_back_engine::runs_on<ExecutionSpace>, warp_look_back_engine,
                                  std::conditional_t<compat::is_gpu<ExecutionSpace>, two_level_engine, look_back_engine>>;
};
template <class ExecutionSpace>
struct portable_implementation<engine::pipelined, ExecutionSpace> : portable_implementation<engine::look_back, ExecutionSpace> {};
template <class ExecutionSpace>
struct portable_implementation<engine::cache_tiles, ExecutionSpace> {
  using type = std::conditional_t<cache_tiles_engine::runs_on<ExecutionSpace>, cache_tiles_engine, two_level_engine>;
};
template <class Engine>
struct engine_of_tuning {
  static_assert(!std::is_same_v<Engine, engine::automatic>, "upsweep: a tuning header names no engine but `automatic` itself.");
  using type = Engine;
};
template <class ExecutionSpace>
struct portable_implementation<engine::automatic, ExecutionSpace>
    : portable_implementation<typename engine_of_tuning<typename tuning<ExecutionSpace>::automatic>::type, ExecutionSpace> {};

template <class Engine>
inline constexpr bool may_be_pipelined =
    std::is_same_v<Engine, engine::automatic> || std::is_same_v<Engine, engine::pipelined>;

/// The class that implements an engine for a problem.
template <class Engine, class ExecutionSpace, class Problem>
using implementation_of = std::conditional_t<may_be_pipelined<Engine> && pipelined_engine::takes<ExecutionSpace, Problem>(),
                                             pipelined_engine, typename portable_implementation<Engine, ExecutionSpace>::type>;

/// Bytes of ordinary temporary memory that an implementation takes for n elements.
template <class Implementation, class ExecutionSpace, class State>
std::size_t ordinary_bytes(std::size_t n) {
  if constexpr (Implementation::memory == engine_memory::ordinary) return Implementation::template bytes<ExecutionSpace, State>(n);
  else return 0;
}

/// Takes the memory that an implementation needs for n elements and leaves it in the workspace.
template <class Implementation, class Problem, class ExecutionSpace>
void reserve_for(ExecutionSpace const& space, std::size_t n, workspace& memory) {
  if constexpr (Implementation::memory == engine_memory::protocol) {
    memory.reserve_protocol(space, Implementation::template region_bytes<ExecutionSpace, Problem>(n));
  } else {
    std::size_t const bytes = ordinary_bytes<Implementation, ExecutionSpace, typename Problem::state>(n);
    if (bytes > 0) memory.reserve(space, bytes);
  }
}

/// Runs a scan. Pre: problem.n > 0; the workspace belongs to the instance.
template <class Implementation, class ExecutionSpace, class Problem>
void run_implementation(ExecutionSpace const& space, Problem const& problem, workspace& memory, scan_names const& names) {
  if constexpr (Implementation::memory == engine_memory::protocol) {
    std::byte* const region =
        memory.begin_protocol(space, Implementation::template region_bytes<ExecutionSpace, Problem>(problem.n));
    Implementation::scan(space, problem, {region, memory.protocol_bytes()}, names);
    memory.end_protocol();
  } else if constexpr (Implementation::memory == engine_memory::ordinary) {
    std::size_t const bytes = ordinary_bytes<Implementation, ExecutionSpace, typename Problem::state>(problem.n);
    Implementation::scan(space, problem, bytes > 0 ? memory.reserve(space, bytes) : nullptr, names);
  } else {
    Implementation::scan(space, problem, names);
  }
}

/// What can be asked of an engine. A type that names one engine answers at compile time; scan/study/ has a value that
/// names one at run time.
template <class Engine>
struct engine_dispatch {
  /// Every call with this type has the same engine.
  static constexpr bool is_fixed = true;
  static constexpr bool is_automatic(Engine) { return std::is_same_v<Engine, engine::automatic>; }
  static constexpr bool is_pipelined(Engine) { return may_be_pipelined<Engine>; }

  template <class ExecutionSpace, class State>
  static std::size_t bytes(Engine, std::size_t n) {
    return ordinary_bytes<typename portable_implementation<Engine, ExecutionSpace>::type, ExecutionSpace, State>(n);
  }
  template <class Problem, class ExecutionSpace>
  static void reserve(ExecutionSpace const& space, Engine, std::size_t n, workspace& memory) {
    reserve_for<implementation_of<Engine, ExecutionSpace, Problem>, Problem>(space, n, memory);
  }
  template <class ExecutionSpace, class Problem>
  static void run(ExecutionSpace const& space, Engine, Problem const& problem, workspace& memory, scan_names const& names) {
    run_implementation<implementation_of<Engine, ExecutionSpace, Problem>>(space, problem, memory, names);
  }
};

/// Whether every scan with an engine is one of cache_tiles_engine.
template <class Engine, class ExecutionSpace>
constexpr bool always_cache_tiles() {
  if constexpr (engine_dispatch<Engine>::is_fixed)
    return std::is_same_v<typename portable_implementation<Engine, ExecutionSpace>::type, cache_tiles_engine>;
  else return false;
}

/// Bytes of ordinary temporary memory that a scan may take, whatever implements the engine that was asked for.
template <class ExecutionSpace, class State, class Engine>
std::size_t engine_bytes(Engine const& which, std::size_t n) {
  return engine_dispatch<Engine>::template bytes<ExecutionSpace, State>(which, n);
}

/// Takes the memory that a scan of n elements needs and leaves it in the workspace: what later pointers into it rely on.
template <class Problem, class ExecutionSpace, class Engine>
void reserve_for_scan(ExecutionSpace const& space, Engine const& which, std::size_t n, workspace& memory) {
  engine_dispatch<Engine>::template reserve<Problem>(space, which, n, memory);
}

/// Runs a scan on the engine that was asked for. Pre: problem.n > 0.
template <class ExecutionSpace, class Engine, class Problem>
void run_engine(ExecutionSpace const& space, Engine const& which, Problem const& problem, workspace& memory,
                scan_names const& names) {
  memory.require_same_instance(space);
  engine_dispatch<Engine>::run(space, which, problem, memory, names);
}

}  // namespace upsweep::detail
