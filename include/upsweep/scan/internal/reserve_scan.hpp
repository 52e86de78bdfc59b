// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>

#include <cstddef>

namespace upsweep::internal {

/// Takes all the device memory that a scan of `in` to `out` needs and leaves it in options.workspace, so that the scan
/// itself cannot run out of it: `reserve_scan(space, in, out, plus<>{}, {.workspace = &ws});` Good for exclusive_scan
/// and inclusive_scan with the same arguments, with or without an initial value.
/// Pre: as exclusive_scan; options.workspace is not null.
/// Sync: growing waits for the instance.
/// Throws: precondition_error (no workspace, extents, overlap, workspace of another instance); out_of_memory_error.
template <class ExecutionSpace, class In, class Out, monoid_argument Monoid, class Engine = engine::automatic>
void reserve_scan(ExecutionSpace const& space, In const& in, Out const& out, Monoid const& given,
                  basic_scan_options<Engine> const& options) {
  static constexpr char const* function = "reserve_scan";
  using value = typename Out::non_const_value_type;
  using state = typename resolved_monoid<Monoid, value>::value_type;
  require(options.workspace != nullptr, function, "options.workspace is null");
  scan::detail::say<scan::detail::mistake_in_sequences<ExecutionSpace, In, Out>()>();
  std::size_t const n = scan::detail::checked_extent(in, out, function);
  access::reserve(*options.workspace, space, 0);  // results, whatever the engine
  if (n == 0) return;
  auto const reserve = [&]<class Problem>(Problem const&) {
    scan::detail::reserve_engine<Engine, Problem>(space, n, *options.workspace);
  };
  auto const monoid = resolve<value>(given);
  scan::detail::initial_value<state> const init{monoid.identity()};
  reserve(scan::detail::make_problem<false>(make_sequence(in), make_output_sequence(out), monoid, init, n));
  reserve(scan::detail::make_problem<true>(make_sequence(in), make_output_sequence(out), monoid, init, n));
}

}  // namespace upsweep::internal
