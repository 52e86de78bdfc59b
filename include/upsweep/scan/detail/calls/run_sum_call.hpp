// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/calls/run_engine.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/tuning.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::scan::detail {

/// Says how many runs there are, and passes on the sum of the last one.
template <class Out, class State>
struct finish_runs_kernel {
  Out out;
  State const* all;
  KOKKOS_FUNCTION void operator()(int) const { out.finish(*all); }
};

/// Tiles of keys and values of which the longer ones have so many bytes.
template <class ExecutionSpace, std::size_t Bytes>
using run_sum_shape = std::conditional_t<(Bytes <= 4), typename engine::tuning<ExecutionSpace>::run_sums_4,
                                         typename engine::tuning<ExecutionSpace>::run_sums_8>;

template <class ExecutionSpace, std::size_t Bytes>
using pipelined_run_sum_shape =
    std::conditional_t<(Bytes <= 4), typename engine::tuning<ExecutionSpace>::pipelined_run_sums_4,
                       typename engine::tuning<ExecutionSpace>::pipelined_run_sums_8>;

/// By a scan, and a launch for the last run.
template <class ExecutionSpace, class Problem>
void reduce_runs_by_scan(ExecutionSpace const& space, Problem problem, workspace& memory, scan_names const& names) {
  using state = typename Problem::state;
  internal::byte_layout layout;
  layout.add<std::byte>(engine_bytes<engine::automatic, ExecutionSpace, state>(problem.n));
  std::size_t const at = layout.add<state>(1);
  problem.total.device = reinterpret_cast<state*>(internal::access::reserve(memory, space, layout.bytes()) + at);
  run_engine<engine::automatic>(space, problem, memory, names);
  finish_runs_kernel<decltype(Problem::out), state> const finish{problem.out, problem.total.device};
  internal::run_on_one_thread(space, [&] { return internal::label(names.function, "last", names.caller); }, finish);
}

}  // namespace upsweep::scan::detail
