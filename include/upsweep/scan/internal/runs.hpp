// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/calls/run_call.hpp>
#include <upsweep/scan/detail/calls/selection_call.hpp>
#include <upsweep/scan/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace upsweep::internal {

/// Finds where runs of elements start and hands the runs on with their numbers, each element read once: what run_length
/// is made of where the backend can do it. starts(element before, element, index), a bool, says whether a run starts;
/// it is called once per element, except for element 0, which starts one. out.begins(run, element) and out.ends(run,
/// length) are called once per run, out.finish(number of runs) once.
///
/// Pre: can_select_in_one_pass<ExecutionSpace, element>; Starts::wants_previous; what out writes is no
///   memory that is read.
/// Cost: n reads, and where there are no bulk copies those of the runs' first elements again from a cache; 1 launch;
///   workspace 128 bytes per tile of 20 to 72 KB, less for elements below 4 bytes.
/// Order: the numbers are those of the input's order, the same in each run of the program; calls come in no order.
/// Sync: asynchronous.
/// Throws: precondition_error (workspace of another instance), out_of_memory_error.
template <class ExecutionSpace, class In, class Starts, class Out>
void find_runs_in_one_pass(ExecutionSpace const& space, In const& in, std::size_t n, Starts const& starts,
                           Out const& out, workspace& memory, std::string_view function, std::string_view caller = {}) {
  using tuning = upsweep::engine::tuning<ExecutionSpace>;
  using striped = scan::detail::striped_runs;
  scan::detail::scan_names const names{function, caller};
  if (scan::detail::takes_short_tiles<ExecutionSpace, typename In::value_type>(n))
    return scan::detail::find_runs_by<striped, typename tuning::short_selection>(space, in, n, starts, out, memory,
                                                                                 names);
  if constexpr (compat::has_bulk_copies<ExecutionSpace>)
    if (n > tuning::short_runs_bytes / std::max(sizeof(typename In::value_type), std::size_t(4)))
      return scan::detail::find_runs_by<scan::detail::pipelined_runs, typename tuning::selection>(space, in, n, starts,
                                                                                                  out, memory, names);
  scan::detail::find_runs_by<striped, typename tuning::warp_selection>(space, in, n, starts, out, memory, names);
}

}  // namespace upsweep::internal
