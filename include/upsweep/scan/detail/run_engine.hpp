// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/cache_tiles.hpp>
#include <upsweep/scan/detail/chained.hpp>
#include <upsweep/scan/detail/look_back.hpp>
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

/// Takes the memory that a scan of n elements needs and leaves it in the workspace: what later pointers into it rely on.
template <class ExecutionSpace, class State>
void reserve_for_scan(ExecutionSpace const& space, engine which, std::size_t n, workspace& memory) {
  if (cache_tiles_engine::runs_on<ExecutionSpace> && which == engine::automatic) return;
  if (which == engine::automatic) which = tuning<ExecutionSpace>::automatic;
  memory.reserve(space, engine_bytes<ExecutionSpace, State>(which, n));
  if (which == engine::look_back || which == engine::chained)
    memory.reserve_protocol(space, look_back_engine::region_bytes<ExecutionSpace, State>(n));
}

/// Runs a scan on the engine that was asked for. Pre: problem.n > 0.
template <class ExecutionSpace, class Problem>
void run_engine(ExecutionSpace const& space, engine which, Problem const& problem, workspace& memory, scan_names const& names) {
  using state = typename Problem::state;
  if constexpr (cache_tiles_engine::runs_on<ExecutionSpace>) {
    if (which == engine::automatic) {
      memory.require_same_instance(space);
      return cache_tiles_engine::scan(space, problem, names);
    }
  }
  if (which == engine::automatic) which = tuning<ExecutionSpace>::automatic;
  std::byte* const temporary = memory.reserve(space, engine_bytes<ExecutionSpace, state>(which, problem.n));
  auto const protocol = [&] {
    std::byte* const region =
        memory.reserve_protocol(space, look_back_engine::region_bytes<ExecutionSpace, state>(problem.n));
    return look_back_memory{region, memory.protocol_bytes()};
  };
  switch (which) {
    case engine::sequential: return sequential_engine::scan(space, problem, temporary, names);
    case engine::scan_then_propagate: return scan_then_propagate_engine::scan(space, problem, temporary, names);
    case engine::reduce_then_scan: return reduce_then_scan_engine::scan(space, problem, temporary, names);
    case engine::chained: return chained_engine::scan(space, problem, protocol(), names);
    case engine::look_back: return look_back_engine::scan(space, problem, protocol(), names);
    case engine::automatic:
    case engine::two_level: return two_level_engine::scan(space, problem, temporary, names);
  }
}

}  // namespace upsweep::detail
