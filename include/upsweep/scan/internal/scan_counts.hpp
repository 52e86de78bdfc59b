// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
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

/// How many counts a call scans, after all checks of its arguments.
template <class ExecutionSpace, class Counts, class Offsets>
std::size_t checked_counts(Counts const& counts, Offsets const& offsets, char const* function) {
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
    require(counts.extent(0) == n, function, [&] {
      return "counts has " + std::to_string(counts.extent(0)) + " elements, offsets has " + std::to_string(n + 1) +
             "; it needs one more than counts";
    });
    require_same_or_apart(counts, offsets, function);
  }
  return n;
}

/// The scan of n counts, from `first` on.
template <class Counts, class Offsets>
auto count_problem(Counts const& counts, Offsets const& offsets, std::size_t n, error_word errors, std::uint64_t* total,
                   std::uint64_t first) {
  return scan::detail::make_problem<false>(scan::detail::make_count_sequence(make_sequence(counts), n, errors),
                                           scan::detail::make_offset_sequence(make_output_sequence(offsets), errors),
                                           saturating_plus{}, scan::detail::initial_value<std::uint64_t>{first}, n + 1,
                                           scan::detail::total_target<std::uint64_t>{total});
}

/// Takes all the device memory of scan_counts() with the same arguments, so that it cannot run out of it.
template <class Engine, class ExecutionSpace, class Counts, class Offsets>
void reserve_scan_counts(ExecutionSpace const& space, Counts const& counts, Offsets const& offsets, std::size_t n,
                         workspace& memory) {
  scan::detail::reserve_engine<Engine, decltype(count_problem(counts, offsets, n, {}, nullptr, 0))>(space, n + 1,
                                                                                                    memory);
}

/// The call, with a word for errors that take_errors(memory) gives. in_slot: the total goes to the workspace's place
/// for results, too. first: what the offsets begin with.
template <class ExecutionSpace, class Counts, class Offsets, class TakeErrors, class Engine>
void scan_counts(ExecutionSpace const& space, Counts const& counts, Offsets const& offsets,
                 basic_scan_options<Engine> const& options, workspace& memory, TakeErrors const& take_errors,
                 char const* function, bool in_slot = false, std::uint64_t first = 0) {
  std::size_t const n = checked_counts<ExecutionSpace>(counts, offsets, function);
  // Reserved before addresses are taken: growing would move them.
  reserve_scan_counts<Engine>(space, counts, offsets, n, memory);
  auto const errors = take_errors(memory);
  auto* const total = in_slot ? reinterpret_cast<std::uint64_t*>(access::result_slot(memory, space)) : nullptr;
  scan::detail::run_engine<Engine>(space, count_problem(counts, offsets, n, errors, total, first), memory,
                                   {function, options.label});
}

}  // namespace upsweep::internal
