// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>
#include <upsweep/scan/detail/calls/segmented_call.hpp>
#include <upsweep/scan/detail/reduce/segment_blocks.hpp>
#include <upsweep/scan/detail/reduce/segment_warps.hpp>
#include <upsweep/scan/detail/segments/segment_problem.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace upsweep::scan::detail {

/// Reduces segments of canonical sequences. Pre: segments > 0.
template <class ExecutionSpace, class In, class Offsets, class Out, class Monoid>
void reduce_segments(ExecutionSpace const& space, In const& in, Offsets const& offsets, Out const& out,
                     Monoid const& monoid, std::size_t segments, std::size_t n, workspace& memory,
                     scan_names const& names) {
  using state = typename Monoid::value_type;
  require_state<state>();
  using problem_type = segment_problem<In, Offsets, Out, Monoid>;
  internal::access::require_same_instance(memory, space);
  // What an error word lies in may move when memory grows: reserved before.
  auto const problem = [&](internal::error_word errors) {
    return problem_type{in, offsets, out, monoid, segments, n, errors};
  };
  if constexpr (compat::has_warps<ExecutionSpace>) {
    using shapes = typename engine::tuning<ExecutionSpace>::segments;
    using plan_type = segment_plan<problem_type, shapes, internal::lanes_of<ExecutionSpace>>;
    plan_type const plan(segments, n);
    std::byte* const sums = internal::access::reserve(memory, space, plan.bytes());
    std::byte* const region = internal::access::begin_protocol(memory, space, plan.region_bytes());
    reduce_segments_by_warps(space, problem(internal::access::errors(memory, space, names.function)), plan, sums,
                             {region, internal::access::protocol_bytes(memory)}, names);
    internal::access::end_protocol(memory);
  } else {
    internal::byte_layout layout;
    layout.add<block_ends<state>>(segment_block_count<ExecutionSpace>(segments, n));
    auto* const ends = reinterpret_cast<block_ends<state>*>(internal::access::reserve(memory, space, layout.bytes()));
    reduce_segments_by_blocks(space, problem(internal::access::errors(memory, space, names.function)), ends, names);
  }
}

/// The checks of extents, and the call.
template <class ExecutionSpace, class In, class Offsets, class Out, class Monoid>
void segmented_reduce_call(ExecutionSpace const& space, std::size_t n, In const& in, Offsets const& offsets,
                           Out const& out, Monoid const& given, call_options const& options) {
  static constexpr char const* function = "segmented_reduce";
  internal::require(offsets.extent(0) >= 1 && (offsets.extent(0) >= 2 || n == 0), function, [&] {
    return "segment offsets have " + std::to_string(offsets.extent(0)) + " entries for " + std::to_string(n) +
           " elements; they need one more than segments, and elements need a segment";
  });
  std::size_t const segments = offsets.extent(0) - 1;
  internal::require(out.extent(0) == segments, function, [&] {
    return "output has " + std::to_string(out.extent(0)) + " elements for " + std::to_string(segments) + " segments";
  });
  check_heads(offsets, out, function, "segment offsets");
  check_heads(in, out, function, "input");
  if (segments == 0) return;
  internal::temporary_memory memory(space, options.workspace);
  reduce_segments(space, internal::make_sequence(in), internal::make_sequence(offsets),
                  internal::make_output_sequence(out), internal::resolve<typename Out::value_type>(given), segments, n,
                  memory.get(), {function, options.label});
  if (memory.owned()) memory.get().check(space);
}

/// The same of n elements and what a caller gave behind them. given: the monoid, if any.
template <class ExecutionSpace, class In, class Segments, class Out, class... Given>
void segmented_reduce_elements(ExecutionSpace const& space, call_options const& options, std::size_t n, In const& in,
                               Segments const& segments, Out const& out, Given const&... given) {
  constexpr mistake in_segments =
      has_tag<Segments, head_flags> ? mistake::reduces_flags : mistake_in_segments<ExecutionSpace, Segments>();
  constexpr mistake made = mistake_in_segmented<in_segments, ExecutionSpace, In, Out, Given...>();
  say<made>();
  if constexpr (made == mistake::none)
    segmented_reduce_call(space, n, in, segments.view, out, argument_of<monoid_role>(plus<>{}, given...), options);
}

/// The same of all that a caller gave behind the space: a View and others, or the number of elements, a functor of the
/// index and others.
template <class ExecutionSpace, class In, class... Behind>
void segmented_reduce_given(ExecutionSpace const& space, call_options const& options, In const& in,
                            Behind const&... behind) {
  constexpr mistake made = mistake_in_counted_input<ExecutionSpace, In, Behind...>();
  say<made>();
  if constexpr (made != mistake::none) return;
  else if constexpr (view_of_rank_1<In>) segmented_reduce_elements(space, options, in.extent(0), in, behind...);
  else segmented_reduce_elements(space, options, internal::checked_size(in, "segmented_reduce"), behind...);
}

}  // namespace upsweep::scan::detail
