// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>
#include <upsweep/scan/detail/problem/count_sequences.hpp>
#include <upsweep/scan/internal/scan_counts.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep {

namespace scan::detail {

/// The mistake in the arguments of counts_to_offsets. Total: a count, or nothing.
template <class ExecutionSpace, class Counts, class Offsets, class... Total>
constexpr mistake mistake_in_counts() {
  if constexpr (!sequence_argument<Counts>) return mistake::counts;
  else if constexpr (!std::is_integral_v<internal::sequence_value_t<Counts>>) return mistake::counts;
  else if constexpr (!view_of_rank_1<Offsets>) return mistake::offsets;
  else if constexpr (!std::is_integral_v<typename Offsets::value_type> || std::is_const_v<typename Offsets::value_type>)
    return mistake::offsets;
  else if constexpr (!internal::reachable<ExecutionSpace, Counts>() || !internal::reachable<ExecutionSpace, Offsets>())
    return mistake::memory;
  else return (std::is_same_v<Total, into<std::size_t>> && ...) ? mistake::none : mistake::count_total;
}

}  // namespace scan::detail

/// Counts to offsets: offsets(i) = counts(0) + ... + counts(i-1), and offsets(n), one entry more, is the total:
/// counts 2 0 3 give 0 2 2 5.
///
/// Pre: counts, a View of rank 1 or a functor, of an integer type; offsets has n + 1 entries of an integer type.
/// Cost: as exclusive_scan, whose options it takes, since it is one. Sums are kept in 64 bits, saturating, whatever the
/// types are.
/// Order: exact.
/// Sync: asynchronous with a workspace; without one it waits.
/// Aliasing: counts may be the first n entries of offsets.
/// Throws: with a workspace nothing for data: an offset that does not fit is stored as the type's largest value, a
/// negative count counts as none, and workspace::check names function and index of the first. Without one,
/// overflow_error and precondition_error name the first bad index.
/// Source: *Prefix sums on GPUs*: counts, scan, emit.
template <execution_space_argument ExecutionSpace, class Counts, class Offsets, class Engine = engine::automatic>
void counts_to_offsets(ExecutionSpace const& space, Counts const& counts, Offsets const& offsets,
                       basic_scan_options<Engine> const& options = {}) {
  static constexpr char const* function = "counts_to_offsets";
  constexpr auto made = scan::detail::mistake_in_counts<ExecutionSpace, Counts, Offsets>();
  scan::detail::say<made>();
  if constexpr (made == scan::detail::mistake::none) {
    internal::temporary_memory memory(space, options.workspace);
    internal::scan_counts(
        space, counts, offsets, options, memory.get(),
        [&](workspace& w) { return internal::access::errors(w, space, function); }, function);
    if (memory.owned()) memory.get().check(space);
  }
}

/// The same, with into{total}, a variable of std::size_t: it waits and, with or without a workspace, throws for bad
/// data.
template <execution_space_argument ExecutionSpace, class Counts, class Offsets, scan_argument Total,
          class Engine = engine::automatic>
void counts_to_offsets(ExecutionSpace const& space, Counts const& counts, Offsets const& offsets, Total const& total,
                       basic_scan_options<Engine> const& options = {}) {
  static constexpr char const* function = "counts_to_offsets";
  constexpr auto made = scan::detail::mistake_in_counts<ExecutionSpace, Counts, Offsets, Total>();
  scan::detail::say<made>();
  if constexpr (made == scan::detail::mistake::none) {
    internal::temporary_memory memory(space, options.workspace);
    internal::scan_counts(
        space, counts, offsets, options, memory.get(), [&](workspace& w) { return internal::access::errors(w, space); },
        function, true);
    std::uint64_t found = 0;
    internal::throw_data_error(internal::access::take_error(memory.get(), space, &found, 1), function);
    total.variable = found;
  }
}

UPSWEEP_WITHOUT_SPACE(counts_to_offsets)

}  // namespace upsweep
