// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/allocate.hpp>
#include <upsweep/base/label.hpp>
#include <upsweep/base/temporary_memory.hpp>
#include <upsweep/scan/detail/host_reduction.hpp>
#include <upsweep/scan/detail/run_engine.hpp>
#include <upsweep/scan/detail/scan_call.hpp>

namespace upsweep {

namespace detail {

/// Reduces on the calling thread and threads of the host.
template <class Value, class ExecutionSpace, class Sequence, class Monoid>
Value reduce_on_threads(ExecutionSpace const& space, std::size_t n, Sequence const& in, Monoid const& monoid, scan_options const& options) {
  using state = typename Monoid::value_type;
  // There is no output but the total.
  auto const problem = make_problem<false>(in, contiguous_sequence<state>{nullptr}, monoid, initial_value<state>{monoid.identity()}, n);
  scan_names const names{"reduce", options.label};
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
}

/// Reduces on a device: a scan without output, whose total goes to `result`, or to the workspace's place for one if that is null. Returns
/// where it is.
template <class Value, class ExecutionSpace, class Sequence, class Monoid>
Value* reduce_on_device(ExecutionSpace const& space, std::size_t n, Sequence const& in, Monoid const& monoid, workspace& memory,
                        Value* result, scan_options const& options) {
  using state = typename Monoid::value_type;
  using problem = scan_problem<Sequence, no_output<Value>, Monoid, false>;
  using engine = std::conditional_t<warp_look_back_engine::runs_on<ExecutionSpace>, warp_look_back_engine, two_level_engine>;
  memory.require_same_instance(space);
  reserve_for<engine, problem>(space, n, memory);
  if (result == nullptr) result = reinterpret_cast<Value*>(memory.result_slot(space));
  run_implementation<engine>(space, problem{in, {}, monoid, initial_value<state>{monoid.identity()}, n, {result}}, memory,
                             {"reduce", options.label});
  return result;
}

template <class Value, class ExecutionSpace, class Monoid>
Value reduce_nothing(ExecutionSpace const& space, Monoid const& monoid, scan_options const& options) {
  if (options.workspace != nullptr) options.workspace->require_same_instance(space);
  return lower<Value>(monoid, monoid.identity());
}

template <class Value, class ExecutionSpace, class Sequence, class Monoid>
Value reduce_call(ExecutionSpace const& space, std::size_t n, Sequence const& in, Monoid const& given, scan_options const& options) {
  auto const monoid = resolve<Value>(given);
  require_state<typename resolved_monoid<Monoid, Value>::value_type>();
  if (n == 0) return reduce_nothing<Value>(space, monoid, options);
  if constexpr (cache_tiles_engine::runs_on<ExecutionSpace>) {
    return reduce_on_threads<Value>(space, n, in, monoid, options);
  } else if constexpr (sizeof(Value) > workspace::result_bytes) {
    auto const result = allocate<Value, typename ExecutionSpace::memory_space>(space, 1, "reduce", "result");
    temporary_memory memory(space, options.workspace);
    return fetch_state(space, reduce_on_device(space, n, in, monoid, memory.get(), result.data(), options), "reduce");
  } else {
    temporary_memory memory(space, options.workspace);
    return fetch_state(space, reduce_on_device<Value>(space, n, in, monoid, memory.get(), nullptr, options), "reduce");
  }
}

template <class ExecutionSpace, class Sequence, class Monoid, class Result>
void reduce_to_view(ExecutionSpace const& space, std::size_t n, Sequence const& in, Monoid const& given, Result const& result,
                    scan_options const& options) {
  using value = typename Result::value_type;
  auto* const to = make_total_target<ExecutionSpace, value>(result).device;
  auto const monoid = resolve<value>(given);
  require_state<typename resolved_monoid<Monoid, value>::value_type>();
  if (n == 0) {
    Kokkos::deep_copy(space, result, reduce_nothing<value>(space, monoid, options));
    if (options.workspace == nullptr) space.fence(label("reduce", "fence"));
  } else if constexpr (cache_tiles_engine::runs_on<ExecutionSpace>) {
    *to = reduce_on_threads<value>(space, n, in, monoid, options);
  } else {
    temporary_memory memory(space, options.workspace);
    reduce_on_device<value>(space, n, in, monoid, memory.get(), to, options);
    if (memory.owned()) space.fence(label("reduce", "fence"));
  }
}

}  // namespace detail

/// The combination of in(0) ... in(n-1), on the host: 2 4 6 8 1 3 5 7 gives 36. For no elements, the identity.
/// `Value` is the type of the result and, for plus<> and its kind, of the accumulator; by default the input's type.
///
/// Pre: in is a functor of the index; the overload below takes a View.
/// Cost: n reads. GPUs with warps: 1 launch; workspace: 128 bytes a tile of up to 48 KB, more where states are longer than 64 bytes.
///   Threads of the host: 1 launch; workspace: a state a tile of 32 KB, or of 8 KB where states are no built-in numbers; inputs of less
///   than 256 KB, or two of the other tiles, are folded by the calling thread, without workspace.
/// Order: operands (left, right); association fixed by n, the state's size and the backend: the same bits in each run.
/// Sync: waits for the instance.
/// Throws: precondition_error (workspace of another instance), out_of_memory_error.
/// Source: D. Merrill and M. Garland, *Single-pass Parallel Prefix Scan with Decoupled Look-back*: the hand-over of GPUs' tiles.
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

/// reduce() to a View of rank 0 that kernels can reach: nothing comes to the host. `Value` is the View's type.
/// Sync: asynchronous with a workspace on GPUs; else it waits for the instance. The rest as above.
template <class ExecutionSpace, index_functor In, monoid_argument Monoid, class Result>
  requires Kokkos::is_view_v<Result>
void reduce(ExecutionSpace const& space, std::size_t n, In const& in, Monoid const& monoid, Result const& result,
            scan_options const& options = {}) {
  detail::reduce_to_view(space, n, make_sequence(in), monoid, result, options);
}

/// The same over a View of rank 1.
template <class ExecutionSpace, view_of_rank_1 In, monoid_argument Monoid, class Result>
  requires Kokkos::is_view_v<Result>
void reduce(ExecutionSpace const& space, In const& in, Monoid const& monoid, Result const& result, scan_options const& options = {}) {
  static_assert(detail::reachable<ExecutionSpace, In>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  detail::reduce_to_view(space, in.extent(0), make_sequence(in), monoid, result, options);
}

}  // namespace upsweep
