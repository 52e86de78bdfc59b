// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/calls/selection_call.hpp>
#include <upsweep/scan/detail/one_pass/run_work.hpp>
#include <upsweep/scan/detail/persistent/pipelined_runs.hpp>
#include <upsweep/scan/detail/problem/selection_problem.hpp>

#include <cstddef>

namespace upsweep::scan::detail {

/// What finds runs on any GPU with warps.
struct striped_runs {
  template <class ExecutionSpace, class T, class Shape>
  static constexpr std::size_t tile_size = striped_selection::tile_size<ExecutionSpace, T, Shape>;

  template <class Shape, class ExecutionSpace, class Problem>
  static void find(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                   scan_names const& names) {
    using work = run_work<Problem, Shape, internal::lanes_of<ExecutionSpace>>;
    static_assert(sizeof(typename one_pass_kernel<work>::shared) + 128 <= 48 * 1024,
                  "upsweep: a tile of runs has to fit in 48 KiB of scratch.");
    run_one_pass(space, work{problem}, internal::divide_up<std::size_t>(problem.n, work::rows::size), memory, false,
                 "runs", names);
  }
};

/// find_runs_in_one_pass() by an engine that the caller names, with tiles of the caller's shape.
template <class Engine, class Shape, class ExecutionSpace, class In, class Starts, class Out>
void find_runs_by(ExecutionSpace const& space, In const& in, std::size_t n, Starts const& starts, Out const& out,
                  workspace& memory, scan_names const& names) {
  if (n == 0) return select_nothing(space, out, memory, names);
  using problem = selection_problem<In, Starts, Out>;
  static_assert(Starts::wants_previous, "upsweep: whether a run starts is asked with the element before.");
  std::size_t const tiles =
      internal::divide_up<std::size_t>(n, Engine::template tile_size<ExecutionSpace, typename In::value_type, Shape>);
  std::byte* const region = internal::access::begin_protocol(
      memory, space, one_pass_bytes<join_run_starts, internal::lanes_of<ExecutionSpace>>(tiles));
  Engine::template find<Shape>(space, problem{in, starts, out, n, {}},
                               {region, internal::access::protocol_bytes(memory)}, names);
  internal::access::end_protocol(memory);
}

}  // namespace upsweep::scan::detail
