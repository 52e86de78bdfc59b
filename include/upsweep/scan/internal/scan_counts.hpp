// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/monoids/saturating_plus.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>
#include <upsweep/scan/detail/problem/count_sequences.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::internal {

/// The call, with a word for errors that take_errors(memory) gives. in_slot: the total goes to the workspace's place
/// for results, too.
template <class ExecutionSpace, class Counts, class Offsets, class TakeErrors, class Engine>
void scan_counts(ExecutionSpace const& space, Counts const& counts, Offsets const& offsets,
                 basic_scan_options<Engine> const& options, workspace& memory, TakeErrors const& take_errors,
                 char const* function, bool in_slot = false) {
  static_assert(sequence_argument<Counts> && std::is_integral_v<sequence_value_t<Counts>>,
                "upsweep::counts_to_offsets: counts is a View of rank 1 or a functor, of an integer type.");
  static_assert(view_of_rank_1<Offsets> && std::is_integral_v<typename Offsets::value_type> &&
                    !std::is_const_v<typename Offsets::value_type>,
                "upsweep::counts_to_offsets: offsets is a View of rank 1 of an integer type.");
  static_assert(reachable<ExecutionSpace, Counts>() && reachable<ExecutionSpace, Offsets>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  require(offsets.extent(0) >= 1, function, "offsets has no entries; it needs one more than counts");
  std::size_t const n = offsets.extent(0) - 1;
  if constexpr (Kokkos::is_view_v<Counts>) {
    require(counts.extent(0) == n, function,
            "counts has " + std::to_string(counts.extent(0)) + " elements, offsets has " + std::to_string(n + 1) +
                "; it needs one more than counts");
    require_same_or_apart(counts, offsets, function);
  }
  auto const problem_with = [&](error_word errors, std::uint64_t* total) {
    return scan::detail::make_problem<false>(scan::detail::make_count_sequence(make_sequence(counts), n, errors),
                                             scan::detail::make_offset_sequence(make_output_sequence(offsets), errors),
                                             saturating_plus{}, scan::detail::initial_value<std::uint64_t>{0}, n + 1,
                                             scan::detail::total_target<std::uint64_t>{total});
  };
  // Reserved before addresses are taken: growing would move them.
  scan::detail::reserve_engine<Engine, decltype(problem_with({}, nullptr))>(space, n + 1, memory);
  auto const errors = take_errors(memory);
  auto* const total = in_slot ? reinterpret_cast<std::uint64_t*>(memory.result_slot(space)) : nullptr;
  scan::detail::run_engine<Engine>(space, problem_with(errors, total), memory, {function, options.label});
}

}  // namespace upsweep::internal
