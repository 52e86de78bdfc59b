// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/calls/for_each_call.hpp>

#include <cstddef>

namespace upsweep {

/// Calls functor(i, prefix, in(i)) for each index i, where prefix is the combination of in(0) ... in(i), and keeps no
/// prefixes: for 4 3 7 these are (0, 4, 4), (1, 7, 3) and (2, 14, 7).
///
/// Prefix, Pre, Cost, Order, Sync, Aliasing, Throws, Source: as exclusive_scan_for_each.
template <class Prefix = void, class ExecutionSpace, view_of_rank_1 In, class Functor, monoid_argument Monoid = plus<>,
          class Engine = engine::automatic>
void inclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor,
                             Monoid const& monoid = {}, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<true, Prefix>(space, in.extent(0), in, functor, scan::detail::no_total{},
                                            scan::detail::no_initial_value{}, monoid, options,
                                            "inclusive_scan_for_each");
}

/// The same behind an initial value: with init 10, 4 3 7 gives the prefixes 14 17 24.
/// init: a value, or a View of rank 0 of the monoid's value_type that is read on the device when the kernels run; as
/// exclusive_scan.
template <class Prefix = void, class ExecutionSpace, view_of_rank_1 In, class Functor, class Init,
          monoid_argument Monoid, class Engine = engine::automatic>
void inclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, Init const& init,
                             Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<true, Prefix>(space, in.extent(0), in, functor, scan::detail::no_total{}, init, monoid,
                                            options, "inclusive_scan_for_each");
}

/// The same with the combination of init and all elements in `total`, of the type of the prefix: a View of rank 0,
/// written on the device, or a variable of the host, which waits for the instance. For no elements the total is init.
template <class Prefix = void, class ExecutionSpace, view_of_rank_1 In, class Functor, total_argument Total, class Init,
          monoid_argument Monoid, class Engine = engine::automatic>
void inclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, Total&& total,
                             Init const& init, Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<true, Prefix>(space, in.extent(0), in, functor, total, init, monoid, options,
                                            "inclusive_scan_for_each");
}

/// The three of them over in(0) ... in(n-1), where in is a functor of the index: Kokkos' parallel_scan over a range,
/// with what is added and what is done with the sum as two functors.
template <class Prefix = void, class ExecutionSpace, index_functor In, class Functor, monoid_argument Monoid = plus<>,
          class Engine = engine::automatic>
void inclusive_scan_for_each(ExecutionSpace const& space, std::size_t n, In const& in, Functor const& functor,
                             Monoid const& monoid = {}, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<true, Prefix>(space, n, in, functor, scan::detail::no_total{},
                                            scan::detail::no_initial_value{}, monoid, options,
                                            "inclusive_scan_for_each");
}
template <class Prefix = void, class ExecutionSpace, index_functor In, class Functor, class Init,
          monoid_argument Monoid, class Engine = engine::automatic>
void inclusive_scan_for_each(ExecutionSpace const& space, std::size_t n, In const& in, Functor const& functor,
                             Init const& init, Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<true, Prefix>(space, n, in, functor, scan::detail::no_total{}, init, monoid, options,
                                            "inclusive_scan_for_each");
}
template <class Prefix = void, class ExecutionSpace, index_functor In, class Functor, total_argument Total, class Init,
          monoid_argument Monoid, class Engine = engine::automatic>
void inclusive_scan_for_each(ExecutionSpace const& space, std::size_t n, In const& in, Functor const& functor,
                             Total&& total, Init const& init, Monoid const& monoid,
                             basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<true, Prefix>(space, n, in, functor, total, init, monoid, options,
                                            "inclusive_scan_for_each");
}

}  // namespace upsweep
