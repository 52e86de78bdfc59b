// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/scan/detail/calls/for_each_call.hpp>

#include <cstddef>

namespace upsweep {

/// Calls functor(i, prefix, in(i)) for each index i, prefix being the combination of in(0) ... in(i-1), which is stored
/// nowhere: 4 3 7 gives the calls (0, 0, 4), (1, 4, 3) and (2, 7, 7). It is Kokkos' parallel_scan, with the functor
/// called in the final pass only. The functor stands where exclusive_scan has its output. `Prefix` is the type of
/// prefix and total and, for plus<> and its kind, of the accumulator; by default the input's type for these, else the
/// monoid's value_type or what its lower() gives.
///
/// Pre: functor(std::size_t, Prefix const&, Element const&) may be called by any thread and does not throw. It is
///   called once an index.
/// Cost: as exclusive_scan without its writes; results leave one by one, not 16 bytes at a time. Each element is read
///   once more: on CPUs it is still in the L1 cache, on GPUs usually in the L2 cache. A functor as in is called two or
///   three times per index, and more where a team falls back for a stalled tile.
/// Order: of prefixes, as exclusive_scan; of calls, none.
/// Sync: asynchronous with a workspace; without one it waits for the instance.
/// Aliasing: the functor may write in(i), of its own index, and nothing else that in or init read.
/// Throws: precondition_error (n < 0, workspace of another instance), out_of_memory_error.
/// Source: as exclusive_scan; the call is modelled on Kokkos::parallel_scan.
template <class Prefix = void, execution_space_argument ExecutionSpace, class In, class Functor,
          class Engine = engine::automatic>
void exclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor,
                             basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<false, Prefix>(space, options, "exclusive_scan_for_each", in, functor);
}

/// The same with any of three arguments behind the functor, in this order: `exclusive_scan_for_each(space, in, functor,
/// into{total}, init, monoid, options)`, as exclusive_scan takes them. With init 10, 4 3 7 gives the prefixes 10 14 17
/// and the total 24. The total has the type of the prefix.
///
/// In place of the View in, the number of elements and a functor of the index: `exclusive_scan_for_each(space, n, in,
/// functor, into{total}, init, monoid, options)`. This is Kokkos' parallel_scan over a range, with what is added and
/// what is done with the sum as two functors.
template <class Prefix = void, execution_space_argument ExecutionSpace, class In, class Functor, scan_argument First,
          class Engine = engine::automatic>
void exclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, First const& first,
                             basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<false, Prefix>(space, options, "exclusive_scan_for_each", in, functor, first);
}
template <class Prefix = void, execution_space_argument ExecutionSpace, class In, class Functor, scan_argument First,
          scan_argument Second, class Engine = engine::automatic>
void exclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, First const& first,
                             Second const& second, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<false, Prefix>(space, options, "exclusive_scan_for_each", in, functor, first, second);
}
template <class Prefix = void, execution_space_argument ExecutionSpace, class In, class Functor, scan_argument First,
          scan_argument Second, scan_argument Third, class Engine = engine::automatic>
void exclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, First const& first,
                             Second const& second, Third const& third, basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<false, Prefix>(space, options, "exclusive_scan_for_each", in, functor, first, second,
                                             third);
}
template <class Prefix = void, execution_space_argument ExecutionSpace, class In, class Functor, scan_argument First,
          scan_argument Second, scan_argument Third, scan_argument Fourth, class Engine = engine::automatic>
void exclusive_scan_for_each(ExecutionSpace const& space, In const& in, Functor const& functor, First const& first,
                             Second const& second, Third const& third, Fourth const& fourth,
                             basic_scan_options<Engine> const& options = {}) {
  scan::detail::for_each_call<false, Prefix>(space, options, "exclusive_scan_for_each", in, functor, first, second,
                                             third, fourth);
}

UPSWEEP_WITHOUT_SPACE(exclusive_scan_for_each)
UPSWEEP_OF_TYPE_WITHOUT_SPACE(exclusive_scan_for_each)

}  // namespace upsweep
