// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/temporary_memory.hpp>
#include <upsweep/scan/detail/host_reduction.hpp>
#include <upsweep/scan/detail/scan_call.hpp>

namespace upsweep {

namespace detail {

template <class Value, class ExecutionSpace, class Sequence, class Monoid>
Value reduce_call(ExecutionSpace const& space, std::size_t n, Sequence const& in, Monoid const& given,
                  scan_options const& options) {
  auto const monoid = resolve<Value>(given);
  using state = typename resolved_monoid<Monoid, Value>::value_type;
  require_state<state>();
  if (n == 0) return lower<Value>(monoid, monoid.identity());
  // There is no output but the total.
  auto const problem =
      make_problem<false>(in, contiguous_sequence<state>{nullptr}, monoid, initial_value<state>{monoid.identity()}, n);
  scan_names const names{"reduce", options.label};
  if constexpr (cache_tiles_engine::runs_on<ExecutionSpace>) {
    using problem_type = std::remove_const_t<decltype(problem)>;
    using numbers = tuning<ExecutionSpace>;
    std::size_t const tiles = parallel_reduction_tiles<ExecutionSpace, problem_type, numbers>(space, n);
    if (tiles == 0) {
      if (options.workspace != nullptr) options.workspace->require_same_instance(space);
      return lower<Value>(monoid, reduce_on_host<numbers>(space, problem, nullptr, names));
    }
    temporary_memory memory(space, options.workspace);
    auto* const of_tile = reinterpret_cast<state*>(memory.get().reserve(space, tiles * sizeof(state)));
    return lower<Value>(monoid, reduce_on_host<numbers>(space, problem, of_tile, names));
  } else {
    temporary_memory memory(space, options.workspace);
    std::byte* const temporary = memory.get().reserve(space, two_level_engine::bytes<ExecutionSpace, state>(n));
    state const* const total = two_level_engine::reduce(space, problem, temporary, names);
    return lower<Value>(monoid, fetch_state(space, total, "reduce"));
  }
}

}  // namespace detail

/// The combination of in(0) ... in(n-1), on the host: 2 4 6 8 1 3 5 7 gives 36. For no elements, the identity.
/// `Value` is the type of the result and, for plus<> and its kind, of the accumulator; by default the input's type.
///
/// Pre: in is a functor of the index; the overload below takes a View.
/// Cost: n reads. GPUs: 2 launches; workspace: one state a block, at most 1057. Threads of the host: 1 launch; workspace: a state a tile
///   of 32 KB, or of 8 KB where states are no built-in numbers; inputs of less than 256 KB, or two of the other tiles, are folded by
///   the calling thread, without workspace.
/// Order: operands (left, right); association fixed by n, the state's size and the backend: the same bits in each run.
/// Sync: waits for the instance.
/// Throws: precondition_error (workspace of another instance), out_of_memory_error.
/// Source: *Prefix sums on GPUs*, the first half of the two-level scan.
template <class Value = void, class ExecutionSpace, index_functor In, monoid_argument Monoid = plus<>>
auto reduce(ExecutionSpace const& space, std::size_t n, In const& in, Monoid const& monoid = {},
            scan_options const& options = {}) {
  using value = std::conditional_t<std::is_void_v<Value>, sequence_value_t<In>, Value>;
  return detail::reduce_call<value>(space, n, make_sequence(in), monoid, options);
}

/// The same over a View of rank 1.
template <class Value = void, class ExecutionSpace, view_of_rank_1 In, monoid_argument Monoid = plus<>>
auto reduce(ExecutionSpace const& space, In const& in, Monoid const& monoid = {}, scan_options const& options = {}) {
  static_assert(detail::reachable<ExecutionSpace, In>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  using value = std::conditional_t<std::is_void_v<Value>, typename In::non_const_value_type, Value>;
  return detail::reduce_call<value>(space, in.extent(0), make_sequence(in), monoid, options);
}

}  // namespace upsweep
