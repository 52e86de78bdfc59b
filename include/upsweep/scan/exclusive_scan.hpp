// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>

#include <cstddef>

namespace upsweep {

/// out(i) is the combination of in(0) ... in(i-1); out(0) is the identity: 4 3 7 9 2 3 gives 0 4 7 14 23 25.
///
/// Pre: in is a View of rank 1 as long as out, or a functor that is called for 0 ... out.extent(0) - 1; the space
///   reaches their memory.
///   Functor and monoid do not throw: on OpenMP that ends the program. Integer sums overflow as in C++.
/// Cost: by the engine.
///   look_back, pipelined: n reads, n writes, 1 launch; workspace 128 bytes per tile. automatic runs one of them on
///     CUDA devices from sm_70 on and on HIP; elsewhere they are two_level.
///   two_level: 2 n reads, n writes, 3 launches; workspace at most 1056 states.
///   cache_tiles, automatic on OpenMP and Serial: 2 n reads, n of them from a cache, n writes, 1 launch for 64 MB or
///     more; no workspace.
/// Order: operands (left, right), but in any order within a tile where the monoid is plus, times or a bit operation
///   over built-in numbers, or min or max over integers; association and order fixed by n, the state's size and the
///   engine: the same bits in each run.
/// Sync: asynchronous with a workspace; without one it waits for the instance.
/// Aliasing: in and out may be the same range; a partial overlap of contiguous ranges is refused.
/// Throws: precondition_error (extents, overlap, workspace of another instance), out_of_memory_error.
/// Source: Merrill and Garland, decoupled look-back; B. Merry, *Prefix sums on GPUs*, two-level scan; see docs/scan.md.
template <execution_space_argument ExecutionSpace, class In, class Out, class Engine = engine::automatic>
void exclusive_scan(ExecutionSpace const& space, In const& in, Out const& out,
                    basic_scan_options<Engine> const& options = {}) {
  scan::detail::scan_call<false>(space, in, out, options, "exclusive_scan");
}

/// The same with any of three arguments behind the output, in this order: `exclusive_scan(space, in, out, into{total},
/// init, monoid, options)`. With init 10, 4 3 7 gives 10 14 17 and the total 24.
///   into{total}  the combination of init and all elements, of the output's value type; init for no elements. A View of
///                rank 0 is written on the device, a variable before the call returns, which waits then.
///   init         becomes out(0): a value, or from{view}, a View of rank 0 of the monoid's value_type, which is read on
///                the device when the kernels run.
///   monoid       the operation; plus<> where it is left out.
/// Aliasing: as above; init and total are different Views.
/// Throws: precondition_error, too, for a number that is none of the monoid's value_type: 300 for int8, -1 for
///   unsigned. A floating-point number for an integer type does not compile.
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First,
          class Engine = engine::automatic>
void exclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, First const& first,
                    basic_scan_options<Engine> const& options = {}) {
  scan::detail::scan_call<false>(space, in, out, options, "exclusive_scan", first);
}
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First, scan_argument Second,
          class Engine = engine::automatic>
void exclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, First const& first, Second const& second,
                    basic_scan_options<Engine> const& options = {}) {
  scan::detail::scan_call<false>(space, in, out, options, "exclusive_scan", first, second);
}
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First, scan_argument Second,
          scan_argument Third, class Engine = engine::automatic>
void exclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, First const& first, Second const& second,
                    Third const& third, basic_scan_options<Engine> const& options = {}) {
  scan::detail::scan_call<false>(space, in, out, options, "exclusive_scan", first, second, third);
}

UPSWEEP_WITHOUT_SPACE(exclusive_scan)

}  // namespace upsweep
