// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/calls/scan_call.hpp>

#include <cstddef>

namespace upsweep {

/// out(i) is the combination of in(0) ... in(i): 4 3 7 9 2 3 gives 4 7 14 23 25 28.
///
/// Pre, Cost, Order, Sync, Aliasing, Throws, Source: as exclusive_scan.
template <class ExecutionSpace, class In, class Out, monoid_argument Monoid = plus<>, class Engine = engine::automatic>
void inclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, Monoid const& monoid = {},
                    basic_scan_options<Engine> const& options = {}) {
  std::size_t const n = scan::detail::checked_extent<ExecutionSpace>(in, out, "inclusive_scan");
  scan::detail::run_scan<true>(space, n, internal::make_sequence(in), internal::make_output_sequence(out),
                               scan::detail::no_total{}, scan::detail::no_initial_value{}, monoid, options,
                               "inclusive_scan");
}

/// The same behind an initial value: with init 10, 4 3 7 gives 14 17 24.
/// init: a value, or a View of rank 0 of the monoid's value_type that is read on the device when the kernels run.
template <class ExecutionSpace, class In, class Out, class Init, monoid_argument Monoid,
          class Engine = engine::automatic>
void inclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, Init const& init, Monoid const& monoid,
                    basic_scan_options<Engine> const& options = {}) {
  std::size_t const n = scan::detail::checked_extent<ExecutionSpace>(in, out, "inclusive_scan");
  scan::detail::run_scan<true>(space, n, internal::make_sequence(in), internal::make_output_sequence(out),
                               scan::detail::no_total{}, init, monoid, options, "inclusive_scan");
}

/// The same with the combination of init and all elements in `total`, of the output's value type: a View of rank 0,
/// which is written on the device, or a variable of the caller's, which waits for the instance: with init 10, 4 3 7
/// gives 14 17 24 and the total 24. For no elements the total is init.
/// A total comes with init behind it, always: one argument alone between out and monoid is init, also a View or a
/// variable that was meant for the total.
/// Aliasing: as above; init and total are different Views.
template <class ExecutionSpace, class In, class Out, total_argument Total, class Init, monoid_argument Monoid,
          class Engine = engine::automatic>
void inclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, Total&& total, Init const& init,
                    Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  std::size_t const n = scan::detail::checked_extent<ExecutionSpace>(in, out, "inclusive_scan");
  scan::detail::run_scan<true>(space, n, internal::make_sequence(in), internal::make_output_sequence(out), total, init,
                               monoid, options, "inclusive_scan");
}

}  // namespace upsweep
