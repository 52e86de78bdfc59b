// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/scan_call.hpp>

namespace upsweep {

/// out(i) is the combination of in(0) ... in(i-1); out(0) is the identity: 4 3 7 9 2 3 gives 0 4 7 14 23 25.
///
/// Pre: in, a View of rank 1 or a functor of the index, has as many elements as out; the space reaches their memory.
/// Cost: 2 n reads, n writes, 3 launches (1 for n within one tile); workspace: one state a block, at most 1057.
/// Order: operands (left, right); association fixed by n, the state's size and the backend: the same bits in each run.
/// Sync: asynchronous with a workspace; without one it waits for the instance.
/// Aliasing: in and out may be the same range; a partial overlap of contiguous ranges is refused.
/// Throws: precondition_error (extents, overlap, workspace of another instance), out_of_memory_error.
/// Source: B. Merry, *Prefix sums on GPUs*, two-level scan; Kogge-Stone and three-phase scan inside a team.
template <class ExecutionSpace, class In, class Out, monoid_argument Monoid = plus<>>
void exclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, Monoid const& monoid = {},
                    scan_options const& options = {}) {
  detail::scan_call<false>(space, in, out, detail::no_initial_value{}, monoid, options, "exclusive_scan");
}

/// The same behind an initial value, which out(0) becomes: with init 10, 4 3 7 gives 10 14 17.
/// init: a value, or a View of rank 0 of the monoid's value_type that is read on the device when the kernels run.
template <class ExecutionSpace, class In, class Out, class Init, monoid_argument Monoid>
void exclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, Init const& init, Monoid const& monoid,
                    scan_options const& options = {}) {
  detail::scan_call<false>(space, in, out, init, monoid, options, "exclusive_scan");
}

}  // namespace upsweep
