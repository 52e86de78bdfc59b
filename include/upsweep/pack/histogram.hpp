// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/pack/detail/histogram/histogram_bins.hpp>
#include <upsweep/pack/detail/histogram/histogram_counters.hpp>
#include <upsweep/pack/detail/histogram/histogram_cpu.hpp>
#include <upsweep/pack/detail/histogram/histogram_teams.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/internal/scan_counts.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace upsweep {

namespace pack::detail {

/// Counts; asynchronous.
template <class ExecutionSpace, class BinOf, class Counts>
void histogram_call(ExecutionSpace const& space, std::size_t n, BinOf const& bin_of, Counts const& counts,
                    call_options const& options) {
  static constexpr char const* function = "histogram";
  using count = typename Counts::non_const_value_type;
  require_output<ExecutionSpace, Counts, count>();
  static_assert(std::is_integral_v<count> && (sizeof(count) == 4 || sizeof(count) == 8),
                "upsweep::histogram: counts are integers of 32 or 64 bits.");
  static_assert(std::is_integral_v<std::invoke_result_t<BinOf const&, std::size_t>>,
                "upsweep::histogram: a bin is of an integer type.");
  internal::narrow<count>(n, function, "the largest possible count");
  if (options.workspace != nullptr) internal::access::require_same_instance(*options.workspace, space);
  auto const target = counters_in(counts);
  std::size_t const bins = counts.extent(0);
  if (bins == 0) return;
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    if (n > 0)
      return histogram_teams<ExecutionSpace, BinOf, counters<count>>::count(space, bin_of, target, n, bins,
                                                                            options.workspace, function, options.label);
  }
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    Kokkos::parallel_for(internal::label(function, "clear", options.label), internal::index_policy(space, bins),
                         clear_counters_kernel<count>{target});
  } else {
    histogram_on_cpu<ExecutionSpace, BinOf, counters<count>>(space, bin_of, target, n, bins, function, options.label)
        .run();
  }
}

template <class ExecutionSpace, class In>
auto make_bin_of(In const& in) {
  require_input<ExecutionSpace, In>();
  auto const from = internal::make_sequence(in);
  return bin_of_element<std::remove_const_t<decltype(from)>>{from};
}

template <class Functor>
std::size_t checked_count(std::size_t n) {
  static_assert(std::is_invocable_v<Functor const&, std::size_t>,
                "upsweep::histogram: the functor is called with an index, std::size_t, and returns a bin.");
  return internal::checked_size(n, "histogram");
}

/// Counts and their offsets.
template <class ExecutionSpace, class BinOf, class Counts, class Offsets>
void histogram_with_offsets(ExecutionSpace const& space, std::size_t n, BinOf const& bin_of, Counts const& counts,
                            Offsets const& offsets, call_options const& options) {
  internal::require(offsets.extent(0) == counts.extent(0) + 1, "histogram", [&] {
    return "counts has " + std::to_string(counts.extent(0)) + " bins, offsets has " +
           std::to_string(offsets.extent(0)) + " entries; it needs one more";
  });
  internal::require_apart(counts, offsets, "histogram", "counts", "offsets");
  // Under its own name, so that workspace::check names this function.
  internal::temporary_memory memory(space, options.workspace);
  histogram_call(space, n, bin_of, counts, {.workspace = &memory.get(), .label = options.label});
  internal::scan_counts(
      space, counts, offsets, scan_options{.label = options.label}, memory.get(),
      [&](workspace& w) { return internal::access::errors(w, space, "histogram"); }, "histogram");
  if (memory.owned()) memory.get().check(space);
}

}  // namespace pack::detail

/// How often every bin occurs: of the bins 1 3 1 0 1, counts with four entries become 1 3 0 1.
///
/// Pre: in, a View of rank 1 of an integer type; counts, of 32- or 64-bit integers, has an entry for each bin
///   and other memory.
/// Cost: n reads; a launch that clears and one that counts; the calling thread of a CPU does alone what takes no
///   longer than a fork. Teams count in scratch up to 8192 bins (GPUs) or 4096 (CPUs); with more bins every element
///   is one atomic addition, on GPUs every run of equal ones among those that a thread has loaded together. CUDA and
///   HIP devices count in scratch in one launch, up to 16384 elements always and more with a workspace, of which it
///   takes 384 bytes.
/// Order: exact. Elements below 0 or from the number of bins on are not counted.
/// Sync: asynchronous with a workspace; without one it waits.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: precondition_error (overlap, workspace of another instance), overflow_error where a count might not
///   fit in its type.
template <execution_space_argument ExecutionSpace, view_of_rank_1 In, view_of_rank_1 Counts>
void histogram(ExecutionSpace const& space, In const& in, Counts const& counts, call_options const& options = {}) {
  internal::require_apart(in, counts, "histogram", "input", "counts");
  pack::detail::histogram_call(space, in.extent(0), pack::detail::make_bin_of<ExecutionSpace>(in), counts, options);
  if (options.workspace == nullptr) space.fence(internal::label("histogram", "fence"));
}

/// The same for bins that are computed: bin_of(std::size_t i) for every i from 0 to n - 1, once. n < 0 is a
/// precondition_error.
template <execution_space_argument ExecutionSpace, class BinOf, view_of_rank_1 Counts>
  requires(!Kokkos::is_view_v<BinOf>)
void histogram(ExecutionSpace const& space, std::size_t n, BinOf const& bin_of, Counts const& counts,
               call_options const& options = {}) {
  pack::detail::histogram_call(space, pack::detail::checked_count<BinOf>(n), pack::detail::bin_of_index<BinOf>{bin_of},
                               counts, options);
  if (options.workspace == nullptr) space.fence(internal::label("histogram", "fence"));
}

/// The same with offsets of the bins, as a counting sort needs them: offsets(b) = counts(0) + ... + counts(b-1), one
/// entry more than bins, the last is the number of counted elements: counts 1 3 0 1 have offsets 0 1 4 4 5.
///
/// Cost, Throws: also as counts_to_offsets: offsets that do not fit in their type are reported by workspace::check with
///   a workspace, by overflow_error without.
template <execution_space_argument ExecutionSpace, view_of_rank_1 In, view_of_rank_1 Counts, view_of_rank_1 Offsets>
void histogram(ExecutionSpace const& space, In const& in, Counts const& counts, Offsets const& offsets,
               call_options const& options = {}) {
  internal::require_apart(in, counts, "histogram", "input", "counts");
  internal::require_apart(in, offsets, "histogram", "input", "offsets");
  pack::detail::histogram_with_offsets(space, in.extent(0), pack::detail::make_bin_of<ExecutionSpace>(in), counts,
                                       offsets, options);
}
template <execution_space_argument ExecutionSpace, class BinOf, view_of_rank_1 Counts, view_of_rank_1 Offsets>
  requires(!Kokkos::is_view_v<BinOf>)
void histogram(ExecutionSpace const& space, std::size_t n, BinOf const& bin_of, Counts const& counts,
               Offsets const& offsets, call_options const& options = {}) {
  pack::detail::histogram_with_offsets(space, pack::detail::checked_count<BinOf>(n),
                                       pack::detail::bin_of_index<BinOf>{bin_of}, counts, offsets, options);
}

UPSWEEP_WITHOUT_SPACE(histogram)

}  // namespace upsweep
