// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/memory/mailbox.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/calls/call_arguments.hpp>
#include <upsweep/scan/detail/calls/run_engine.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>
#include <upsweep/scan/detail/cpu/cpu_reduction.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/reduce/reduction_kernel.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::scan::detail {

/// What a device reduces.
template <class Value, class Sequence, class Monoid>
using reduction_problem = scan_problem<Sequence, no_output<Value>, Monoid, false>;

/// The problem that CPU threads fold: there is no output but the total.
template <class Sequence, class Monoid>
using cpu_reduction_problem =
    scan_problem<Sequence, internal::contiguous_sequence<typename Monoid::value_type>, Monoid, false>;

/// Bytes of the tiles' states up to which they need no workspace: those of 16 MB of doubles in tiles of 32 KB.
inline constexpr std::size_t states_on_stack = 4096;

/// Reduces on the calling thread and CPU threads.
template <class Value, class ExecutionSpace, class Sequence, class Monoid>
Value reduce_on_threads(ExecutionSpace const& space, std::size_t n, Sequence const& in, Monoid const& monoid,
                        call_options const& options) {
  using state = typename Monoid::value_type;
  using problem_type = cpu_reduction_problem<Sequence, Monoid>;
  problem_type const problem{
      in, internal::contiguous_sequence<state>{nullptr}, monoid, initial_value<state>{monoid.identity()}, n, {}};
  scan_names const names{"reduce", options.label};
  using numbers = engine::tuning<ExecutionSpace>;
  std::size_t const tiles = parallel_reduction_tiles<ExecutionSpace, problem_type, numbers>(space, n);
  if (tiles * sizeof(state) <= states_on_stack) {
    if (options.workspace != nullptr) internal::access::require_same_instance(*options.workspace, space);
    alignas(state) std::byte states[states_on_stack];
    auto* const of_tile = tiles == 0 ? nullptr : reinterpret_cast<state*>(states);
    return internal::lower<Value>(monoid, reduce_on_cpu<numbers>(space, problem, of_tile, names));
  }
  internal::temporary_memory memory(space, options.workspace);
  auto* const of_tile = reinterpret_cast<state*>(internal::access::reserve(memory.get(), space, tiles * sizeof(state)));
  return internal::lower<Value>(monoid, reduce_on_cpu<numbers>(space, problem, of_tile, names));
}

/// Bytes that reduce takes of a workspace beside its header: of what reserve() gives, and of the memory of protocols.
struct reduction_bytes {
  std::size_t reserved = 0;
  std::size_t region = 0;
};

template <class Value, class Sequence, class Monoid, class ExecutionSpace>
reduction_bytes bytes_of_reduction(ExecutionSpace const& space, std::size_t n) {
  using state = typename Monoid::value_type;
  using on_threads = cpu_reduction_problem<Sequence, Monoid>;
  if (n == 0) return {};
  if constexpr (cache_tiles_engine::runs_on<ExecutionSpace>) {
    std::size_t const states =
        parallel_reduction_tiles<ExecutionSpace, on_threads, engine::tuning<ExecutionSpace>>(space, n) * sizeof(state);
    return {states <= states_on_stack ? 0 : states, 0};
  } else {
    using problem = reduction_problem<Value, Sequence, Monoid>;
    using kernel = device_reduction<ExecutionSpace, problem>;
    if (is_short_reduction<ExecutionSpace, problem>(n)) return {};
    return {typename kernel::cut_type(n).tiles * sizeof(state), sizeof(look_back_control)};
  }
}

/// Reduces on a device; the result goes to `result`. Pre: n > 0.
template <class Value, class ExecutionSpace, class Sequence, class Monoid>
void reduce_on_device(ExecutionSpace const& space, std::size_t n, Sequence const& in, Monoid const& monoid,
                      workspace& memory, Value* result, call_options const& options) {
  using state = typename Monoid::value_type;
  using problem = reduction_problem<Value, Sequence, Monoid>;
  internal::access::require_same_instance(memory, space);
  auto const bytes = bytes_of_reduction<Value, Sequence, Monoid>(space, n);
  auto* const of_tile = reinterpret_cast<state*>(internal::access::reserve(memory, space, bytes.reserved));
  problem const p{in, {}, monoid, initial_value<state>{monoid.identity()}, n, {result}};
  scan_names const names{"reduce", options.label};
  if (is_short_reduction<ExecutionSpace, problem>(n)) {
    reduce_on_gpu(space, p, nullptr, nullptr, names);
    return;
  }
  // The counter of the scans' protocol serves: both leave it at 0.
  auto* const control =
      reinterpret_cast<look_back_control*>(internal::access::begin_protocol(memory, space, bytes.region));
  reduce_on_gpu(space, p, of_tile, &control->finished, names);
  internal::access::end_protocol(memory);
}

template <class Value, class ExecutionSpace, class Monoid>
Value reduce_nothing(ExecutionSpace const& space, Monoid const& monoid, call_options const& options) {
  if (options.workspace != nullptr) internal::access::require_same_instance(*options.workspace, space);
  return internal::lower<Value>(monoid, monoid.identity());
}

template <class Value, class ExecutionSpace, class Sequence, class Monoid>
Value reduce_call(ExecutionSpace const& space, std::size_t n, Sequence const& in, Monoid const& given,
                  call_options const& options) {
  auto const monoid = internal::resolve<Value>(given);
  require_state<typename internal::resolved_monoid<Monoid, Value>::value_type>();
  if (n == 0) return reduce_nothing<Value>(space, monoid, options);
  if constexpr (cache_tiles_engine::runs_on<ExecutionSpace>) {
    return reduce_on_threads<Value>(space, n, in, monoid, options);
  } else if constexpr (sizeof(Value) > internal::mailbox_bytes) {
    auto const result = internal::allocate<Value, typename ExecutionSpace::memory_space>(space, 1, "reduce", "result");
    internal::temporary_memory memory(space, options.workspace);
    reduce_on_device(space, n, in, monoid, memory.get(), result.data(), options);
    return internal::fetch_one(space, result.data(), "reduce");
  } else {
    internal::temporary_memory memory(space, options.workspace);
    internal::mailbox<ExecutionSpace> result(space);
    reduce_on_device(space, n, in, monoid, memory.get(), result.template place<Value>(), options);
    Value value;
    result.take(&value, 1, internal::label("reduce", "fetch"));
    return value;
  }
}

template <class ExecutionSpace, class Sequence, class Monoid, class Result>
void reduce_to_view(ExecutionSpace const& space, std::size_t n, Sequence const& in, Monoid const& given,
                    Result const& result, call_options const& options) {
  using value = typename Result::value_type;
  value* const to = result.data();
  auto const monoid = internal::resolve<value>(given);
  require_state<typename internal::resolved_monoid<Monoid, value>::value_type>();
  if (n == 0) {
    Kokkos::deep_copy(space, result, reduce_nothing<value>(space, monoid, options));
    if (options.workspace == nullptr) space.fence(internal::label("reduce", "fence"));
  } else if constexpr (cache_tiles_engine::runs_on<ExecutionSpace>) {
    *to = reduce_on_threads<value>(space, n, in, monoid, options);
  } else {
    internal::temporary_memory memory(space, options.workspace);
    reduce_on_device<value>(space, n, in, monoid, memory.get(), to, options);
    if (memory.owned()) space.fence(internal::label("reduce", "fence"));
  }
}

/// The type of a result: what the caller says, else the type of what it goes into, else the input's.
template <class Value, class In, class Result>
struct reduced {
  using type = Value;
};
template <class In, class Result>
struct reduced<void, In, Result> {
  using type = internal::sequence_value_t<In>;
};
template <class In, class Target>
struct reduced<void, In, into<Target>> {
  using type = typename into<Target>::value_type;
};

/// Reduces n elements. given: into{result} and the monoid, if any. Returns the result if it goes into nothing.
template <class Value, class ExecutionSpace, class In, class... Given>
auto reduce_elements(ExecutionSpace const& space, call_options const& options, std::size_t n, In const& in,
                     Given const&... given) {
  using result = argument_type<total_role, left_out, Given...>;
  using value = typename reduced<Value, In, result>::type;
  constexpr mistake made = mistake_in_arguments<total_role | monoid_role, ExecutionSpace, value, Given...>();
  say<made>();
  if constexpr (made == mistake::none) {
    plus<> const sum{};
    auto const& monoid = argument_of<monoid_role>(sum, given...);
    auto const from = internal::make_sequence(in);
    [[maybe_unused]] left_out const nothing;
    [[maybe_unused]] auto const& to = argument_of<total_role>(nothing, given...);
    if constexpr (!has_tag<result, into>) return reduce_call<value>(space, n, from, monoid, options);
    else if constexpr (requires { to.view; }) reduce_to_view(space, n, from, monoid, to.view, options);
    else to.variable = reduce_call<value>(space, n, from, monoid, options);
  }
}

/// The same of what a caller gave behind the space: a View and others, or the number of elements, a functor of the
/// index and others.
template <class Value, class ExecutionSpace, class In, class... Behind>
auto reduce_given(ExecutionSpace const& space, call_options const& options, In const& in, Behind const&... behind) {
  constexpr mistake made = mistake_in_counted_input<ExecutionSpace, In, Behind...>();
  say<made>();
  if constexpr (made == mistake::none) {
    if constexpr (view_of_rank_1<In>) return reduce_elements<Value>(space, options, in.extent(0), in, behind...);
    else return reduce_elements<Value>(space, options, internal::checked_size(in, "reduce"), behind...);
  }
}

}  // namespace upsweep::scan::detail
