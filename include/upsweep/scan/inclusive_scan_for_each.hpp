// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/scan/detail/calls/for_each_call.hpp>

#include <cstddef>

namespace upsweep {

/// Calls functor(i, prefix, in(i)) for each index i, where prefix is the combination of in(0) ... in(i), and keeps no
/// prefixes: for 4 3 7 these are (0, 4, 4), (1, 7, 3) and (2, 14, 7).
///
/// Prefix, Pre, Cost, Order, Sync, Aliasing, Throws, Source: as exclusive_scan_for_each.
template <class Prefix = void, execution_space_argument ExecutionSpace, class In, class Functor,
          class Engine = engine::automatic>
void inclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor,
                             basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<true, Prefix>(space, options, "inclusive_scan_for_each", in, functor);
}

/// The same with any of three arguments behind the functor, `inclusive_scan_for_each(space, in, functor, into{total},
/// init, monoid, options)`, and with the number of elements and a functor of the index in place of the View,
/// `inclusive_scan_for_each(space, n, in, functor, ...)`; as exclusive_scan_for_each. With init 10, 4 3 7 gives the
/// prefixes 14 17 24 and the total 24.
template <class Prefix = void, execution_space_argument ExecutionSpace, class In, class Functor, scan_argument First,
          class Engine = engine::automatic>
void inclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, First const& first,
                             basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<true, Prefix>(space, options, "inclusive_scan_for_each", in, functor, first);
}
template <class Prefix = void, execution_space_argument ExecutionSpace, class In, class Functor, scan_argument First,
          scan_argument Second, class Engine = engine::automatic>
void inclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, First const& first,
                             Second const& second, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<true, Prefix>(space, options, "inclusive_scan_for_each", in, functor, first, second);
}
template <class Prefix = void, execution_space_argument ExecutionSpace, class In, class Functor, scan_argument First,
          scan_argument Second, scan_argument Third, class Engine = engine::automatic>
void inclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, First const& first,
                             Second const& second, Third const& third, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<true, Prefix>(space, options, "inclusive_scan_for_each", in, functor, first, second,
                                            third);
}
template <class Prefix = void, execution_space_argument ExecutionSpace, class In, class Functor, scan_argument First,
          scan_argument Second, scan_argument Third, scan_argument Fourth, class Engine = engine::automatic>
void inclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, First const& first,
                             Second const& second, Third const& third, Fourth const& fourth,
                             basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<true, Prefix>(space, options, "inclusive_scan_for_each", in, functor, first, second,
                                            third, fourth);
}

UPSWEEP_WITHOUT_SPACE(inclusive_scan_for_each)
UPSWEEP_OF_TYPE_WITHOUT_SPACE(inclusive_scan_for_each)

}  // namespace upsweep
