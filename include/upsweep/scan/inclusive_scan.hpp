// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>

#include <cstddef>

namespace upsweep {

/// out(i) is the combination of in(0) ... in(i): 4 3 7 9 2 3 gives 4 7 14 23 25 28.
///
/// Pre, Cost, Order, Sync, Aliasing, Throws, Source: as exclusive_scan.
template <execution_space_argument ExecutionSpace, class In, class Out, class Engine = engine::automatic>
void inclusive_scan(ExecutionSpace const& space, In const& in, Out const& out,
                    basic_scan_options<Engine> const& options = {}) {
  scan::detail::scan_call<true>(space, in, out, options, "inclusive_scan");
}

/// The same with any of three arguments behind the output, in this order: `inclusive_scan(space, in, out, into{total},
/// init, monoid, options)`, as exclusive_scan takes them. With init 10, 4 3 7 gives 14 17 24 and the total 24.
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First,
          class Engine = engine::automatic>
void inclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, First const& first,
                    basic_scan_options<Engine> const& options = {}) {
  scan::detail::scan_call<true>(space, in, out, options, "inclusive_scan", first);
}
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First, scan_argument Second,
          class Engine = engine::automatic>
void inclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, First const& first, Second const& second,
                    basic_scan_options<Engine> const& options = {}) {
  scan::detail::scan_call<true>(space, in, out, options, "inclusive_scan", first, second);
}
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First, scan_argument Second,
          scan_argument Third, class Engine = engine::automatic>
void inclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, First const& first, Second const& second,
                    Third const& third, basic_scan_options<Engine> const& options = {}) {
  scan::detail::scan_call<true>(space, in, out, options, "inclusive_scan", first, second, third);
}

UPSWEEP_WITHOUT_SPACE(inclusive_scan)

}  // namespace upsweep
