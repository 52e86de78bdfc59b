// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/cache_tiles.hpp>
#include <upsweep/scan/detail/chained.hpp>
#include <upsweep/scan/detail/look_back.hpp>
#include <upsweep/scan/detail/pipelined.hpp>
#include <upsweep/scan/detail/reduce_then_scan.hpp>
#include <upsweep/scan/detail/scan_then_propagate.hpp>
#include <upsweep/scan/detail/sequential.hpp>
#include <upsweep/scan/detail/two_level.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>

namespace upsweep::detail {

/// Bytes of ordinary temporary memory that an engine takes for n elements.
template <class ExecutionSpace, class State>
std::size_t engine_bytes(engine which, std::size_t n) {
  switch (which) {
    case engine::two_level: return two_level_engine::bytes<ExecutionSpace, State>(n);
    case engine::reduce_then_scan: return reduce_then_scan_engine::bytes<ExecutionSpace, State>(n);
    case engine::scan_then_propagate: return scan_then_propagate_engine::bytes<ExecutionSpace, State>(n);
    default: return 0;
  }
}

/// Bytes of ordinary temporary memory that a scan may take, whatever engine runs in the place of the one asked for.
/// Pipelined and look_back, its substitute, take none.
template <class ExecutionSpace, class State>
std::size_t most_engine_bytes(engine which, std::size_t n) {
  if (which == engine::automatic) which = tuning<ExecutionSpace>::automatic;
  if (which == engine::cache_tiles && !cache_tiles_engine::runs_on<ExecutionSpace>) which = engine::two_level;
  return engine_bytes<ExecutionSpace, State>(which, n);
}

/// The engine that runs a problem when `which` was asked for.
template <class ExecutionSpace, class Problem>
constexpr engine resolved_engine(engine which) {
  constexpr bool pipelined = pipelined_engine::takes<ExecutionSpace, Problem>();
  constexpr bool cache_tiles = cache_tiles_engine::runs_on<ExecutionSpace>;
  switch (which) {
    case engine::automatic:
      static_assert(tuning<ExecutionSpace>::automatic != engine::automatic);
      return pipelined ? engine::pipelined : resolved_engine<ExecutionSpace, Problem>(tuning<ExecutionSpace>::automatic);
    case engine::pipelined: return pipelined ? which : engine::look_back;
    case engine::cache_tiles: return cache_tiles ? which : engine::two_level;
    default: return which;
  }
}

/// Takes the memory that a scan of n elements needs and leaves it in the workspace: what later pointers into it rely on.
template <class ExecutionSpace, class Problem>
void reserve_for_scan(ExecutionSpace const& space, engine which, std::size_t n, workspace& memory) {
  using state = typename Problem::state;
  which = resolved_engine<ExecutionSpace, Problem>(which);
  if (std::size_t const bytes = engine_bytes<ExecutionSpace, state>(which, n); bytes > 0) memory.reserve(space, bytes);
  if (which == engine::look_back || which == engine::chained)
    memory.reserve_protocol(space, look_back_engine::region_bytes<ExecutionSpace, state>(n));
  if constexpr (pipelined_engine::takes<ExecutionSpace, Problem>())
    if (which == engine::pipelined) memory.reserve_protocol(space, pipelined_engine::region_bytes<ExecutionSpace, Problem>(n));
}

/// Runs a scan on the engine that was asked for. Pre: problem.n > 0.
template <class ExecutionSpace, class Problem>
void run_engine(ExecutionSpace const& space, engine which, Problem const& problem, workspace& memory, scan_names const& names) {
  using state = typename Problem::state;
  memory.require_same_instance(space);
  which = resolved_engine<ExecutionSpace, Problem>(which);
  std::size_t const bytes = engine_bytes<ExecutionSpace, state>(which, problem.n);
  std::byte* const temporary = bytes > 0 ? memory.reserve(space, bytes) : nullptr;
  auto const with_protocol = [&](std::size_t region_bytes, auto const& scan) {
    std::byte* const region = memory.begin_protocol(space, region_bytes);
    scan(look_back_memory{region, memory.protocol_bytes()});
    memory.end_protocol();
  };
  std::size_t const look_back_bytes = look_back_engine::region_bytes<ExecutionSpace, state>(problem.n);
  switch (which) {
    case engine::sequential: return sequential_engine::scan(space, problem, temporary, names);
    case engine::scan_then_propagate: return scan_then_propagate_engine::scan(space, problem, temporary, names);
    case engine::reduce_then_scan: return reduce_then_scan_engine::scan(space, problem, temporary, names);
    case engine::chained:
      return with_protocol(look_back_bytes, [&](look_back_memory const& region) {
        chained_engine::scan(space, problem, region, names);
      });
    case engine::look_back:
      return with_protocol(look_back_bytes, [&](look_back_memory const& region) {
        look_back_engine::scan(space, problem, region, names);
      });
    case engine::pipelined:
      if constexpr (pipelined_engine::takes<ExecutionSpace, Problem>())
        with_protocol(pipelined_engine::region_bytes<ExecutionSpace, Problem>(problem.n),
                      [&](look_back_memory const& region) { pipelined_engine::scan(space, problem, region, names); });
      return;
    case engine::cache_tiles:
      if constexpr (cache_tiles_engine::runs_on<ExecutionSpace>) cache_tiles_engine::scan(space, problem, names);
      return;
    case engine::automatic:
    case engine::two_level: return two_level_engine::scan(space, problem, temporary, names);
  }
}

}  // namespace upsweep::detail
