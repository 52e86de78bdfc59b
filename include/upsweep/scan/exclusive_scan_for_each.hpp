// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/calls/for_each_call.hpp>

#include <cstddef>

namespace upsweep {

/// Calls functor(i, prefix, in(i)) for each index i, prefix being the combination of in(0) ... in(i-1), which is stored
/// nowhere: 4 3 7 gives the calls (0, 0, 4), (1, 4, 3) and (2, 7, 7). It is Kokkos' parallel_scan, with the functor
/// called in the final pass only. The functor stands where exclusive_scan has its output. `Prefix` is the type of
/// prefix and total and, for plus<> and its kind, of the accumulator; by default the input's type for these, else the
/// monoid's value_type or what its lower() gives.
///
/// Pre: functor(std::int64_t, Prefix const&, Element const&) may be called by any thread and does not throw. It is
///   called once an index.
/// Cost: as exclusive_scan without its writes; results leave one by one, not 16 bytes at a time. Each element is read
///   once more: on CPUs it is still in the L1 cache, on GPUs usually in the L2 cache. A functor as in is called two or
///   three times per index, and more where a team falls back for a stalled tile.
/// Order: of prefixes, as exclusive_scan; of calls, none.
/// Sync: asynchronous with a workspace; without one it waits for the instance.
/// Aliasing: the functor may write in(i), of its own index, and nothing else that in or init read.
/// Throws: precondition_error (workspace of another instance), out_of_memory_error.
/// Source: as exclusive_scan; the call is modelled on Kokkos::parallel_scan.
template <class Prefix = void, class ExecutionSpace, view_of_rank_1 In, class Functor, monoid_argument Monoid = plus<>,
          class Engine = engine::automatic>
void exclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor,
                             Monoid const& monoid = {}, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<false, Prefix>(space, in.extent(0), in, functor, scan::detail::no_total{},
                                             scan::detail::no_initial_value{}, monoid, options,
                                             "exclusive_scan_for_each");
}

/// The same behind an initial value: with init 10, 4 3 7 gives the prefixes 10 14 17.
/// init: a value, or a View of rank 0 of the monoid's value_type that is read on the device when the kernels run; as
/// exclusive_scan.
template <class Prefix = void, class ExecutionSpace, view_of_rank_1 In, class Functor, class Init,
          monoid_argument Monoid, class Engine = engine::automatic>
void exclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, Init const& init,
                             Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<false, Prefix>(space, in.extent(0), in, functor, scan::detail::no_total{}, init, monoid,
                                             options, "exclusive_scan_for_each");
}

/// The same with the combination of init and all elements in `total`, of the type of the prefix: a View of rank 0,
/// written on the device, or a variable of the host, which waits for the instance. For no elements the total is init.
template <class Prefix = void, class ExecutionSpace, view_of_rank_1 In, class Functor, total_argument Total, class Init,
          monoid_argument Monoid, class Engine = engine::automatic>
void exclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, Total&& total,
                             Init const& init, Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<false, Prefix>(space, in.extent(0), in, functor, total, init, monoid, options,
                                             "exclusive_scan_for_each");
}

/// The three of them over in(0) ... in(n-1), where in is a functor of the index: Kokkos' parallel_scan over a range,
/// with what is added and what is done with the sum as two functors.
template <class Prefix = void, class ExecutionSpace, index_functor In, class Functor, monoid_argument Monoid = plus<>,
          class Engine = engine::automatic>
void exclusive_scan_for_each(ExecutionSpace const& space, std::size_t n, In const& in, Functor const& functor,
                             Monoid const& monoid = {}, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<false, Prefix>(space, n, in, functor, scan::detail::no_total{},
                                             scan::detail::no_initial_value{}, monoid, options,
                                             "exclusive_scan_for_each");
}
template <class Prefix = void, class ExecutionSpace, index_functor In, class Functor, class Init,
          monoid_argument Monoid, class Engine = engine::automatic>
void exclusive_scan_for_each(ExecutionSpace const& space, std::size_t n, In const& in, Functor const& functor,
                             Init const& init, Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<false, Prefix>(space, n, in, functor, scan::detail::no_total{}, init, monoid, options,
                                             "exclusive_scan_for_each");
}
template <class Prefix = void, class ExecutionSpace, index_functor In, class Functor, total_argument Total, class Init,
          monoid_argument Monoid, class Engine = engine::automatic>
void exclusive_scan_for_each(ExecutionSpace const& space, std::size_t n, In const& in, Functor const& functor,
                             Total&& total, Init const& init, Monoid const& monoid,
                             basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<false, Prefix>(space, n, in, functor, total, init, monoid, options,
                                             "exclusive_scan_for_each");
}

}  // namespace upsweep
