// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/calls/run_sum_call.hpp>
#include <upsweep/scan/detail/calls/selection_call.hpp>
#include <upsweep/scan/detail/one_pass/run_sum_work.hpp>
#include <upsweep/scan/detail/persistent/pipelined_run_sums.hpp>
#include <upsweep/scan/detail/segments/run_sums.hpp>
#include <upsweep/scan/internal/selection.hpp>
#include <upsweep/scan/options.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace upsweep::internal {

/// Reduces the values of each run of equal neighbouring keys and hands the runs on with their numbers: what
/// reduce_by_key is made of. keys and values are canonical sequences of n elements. out.begins(run, key) and
/// out.ends(run, state of the monoid) are called once a run, out.finish(number of runs) once.
///
/// Pre: what out writes is no memory that is read.
/// Cost: CUDA from sm_70 on and HIP, keys, values and states that can be copied as bytes, of up to 64: n reads of each,
///   1 launch, workspace 128 bytes (256 for states of more than 56) a tile of up to 77 KB of keys and values. Else a
///   scan that stores runs only, of states {value, number of runs}, and 1 launch, which takes no fork on CPUs. These
///   read values once and keys up to four times, mostly from a cache.
/// Order: operands (left, right); association fixed by the backend, n and the keys: the same bits in each run of the
///   program. Calls of out come in no order.
/// Sync: asynchronous.
/// Throws: precondition_error (workspace of another instance), out_of_memory_error.
template <class ExecutionSpace, class Keys, class Values, class Monoid, class Equal, class Out>
void reduce_runs(ExecutionSpace const& space, Keys const& keys, Values const& values, std::size_t n,
                 Monoid const& monoid, Equal const& equal, Out const& out, workspace& memory, std::string_view function,
                 std::string_view caller = {}) {
  using key = typename Keys::value_type;
  using value = typename Values::value_type;
  using state = typename Monoid::value_type;
  using heads_type = scan::detail::key_heads<Keys, Equal>;
  using problem_type = scan::detail::run_sum_problem<heads_type, Values, Out, Monoid>;
  scan::detail::require_state<state>();
  scan::detail::scan_names const names{function, caller};
  if (n == 0) return scan::detail::select_nothing(space, out, memory, names);
  heads_type const heads{keys, equal};
  scan::detail::run_sums<Monoid> const states{monoid};
  problem_type const problem{{heads, values}, {heads, out, monoid}, states, {states.identity()}, n, {}};
  if constexpr (can_select_in_one_pass<ExecutionSpace, key> && can_select_in_one_pass<ExecutionSpace, value> &&
                can_select_in_one_pass<ExecutionSpace, state>) {
    if constexpr (compat::has_bulk_copies<ExecutionSpace>) {
      using pipelined = scan::detail::pipelined_run_sums<
          problem_type, scan::detail::pipelined_run_sum_shape<ExecutionSpace, std::max(sizeof(key), sizeof(value))>>;
      if constexpr (pipelined::possible) {
        if (n * std::max(sizeof(key), sizeof(value)) > engine::tuning<ExecutionSpace>::short_run_sums_bytes) {
          std::byte* const region = access::begin_protocol(memory, space, pipelined::region_bytes(n));
          pipelined::reduce(space, problem, {region, access::protocol_bytes(memory)}, names);
          access::end_protocol(memory);
          return;
        }
      }
    }
    using shape = scan::detail::run_sum_shape<ExecutionSpace, std::max({sizeof(key), sizeof(value), sizeof(state)})>;
    std::byte* const region = access::begin_protocol(
        memory, space, scan::detail::run_sum_region_bytes<shape, ExecutionSpace, problem_type>(n));
    scan::detail::reduce_runs_in_one_pass<shape>(space, problem, {region, access::protocol_bytes(memory)}, names);
    access::end_protocol(memory);
  } else {
    scan::detail::reduce_runs_by_scan(space, problem, memory, names);
  }
}

}  // namespace upsweep::internal
