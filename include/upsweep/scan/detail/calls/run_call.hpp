// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/calls/selection_call.hpp>
#include <upsweep/scan/detail/one_pass/run_work.hpp>
#include <upsweep/scan/detail/problem/selection_problem.hpp>

#include <cstddef>

namespace upsweep::scan::detail {

/// find_runs_in_one_pass() with tiles of the caller's shape.
template <class Shape, class ExecutionSpace, class In, class Starts, class Out>
void find_runs_by(ExecutionSpace const& space, In const& in, std::size_t n, Starts const& starts, Out const& out,
                  workspace& memory, scan_names const& names) {
  if (n == 0) return select_nothing(space, out, memory, names);
  using problem = selection_problem<In, Starts, Out>;
  using work = run_work<problem, Shape, internal::lanes_of<ExecutionSpace>>;
  static_assert(Starts::wants_previous, "upsweep: whether a run starts is asked with the element before.");
  static_assert(sizeof(typename one_pass_kernel<work>::shared) + 128 <= 48 * 1024,
                "upsweep: a tile of runs has to fit in 48 KiB of scratch.");
  std::size_t const tiles = internal::divide_up<std::size_t>(n, work::rows::size);
  std::byte* const region = internal::access::begin_protocol(
      memory, space, one_pass_bytes<typename work::monoid_type, typename work::lanes>(tiles));
  run_one_pass(space, work{problem{in, starts, out, n, {}}}, tiles, {region, internal::access::protocol_bytes(memory)},
               false, "runs", names);
  internal::access::end_protocol(memory);
}

}  // namespace upsweep::scan::detail
