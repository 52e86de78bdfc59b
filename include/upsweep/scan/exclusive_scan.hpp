// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

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
/// Order: operands (left, right); association fixed by n, the state's size and the engine: the same bits in each run.
/// Sync: asynchronous with a workspace; without one it waits for the instance.
/// Aliasing: in and out may be the same range; a partial overlap of contiguous ranges is refused.
/// Throws: precondition_error (extents, overlap, workspace of another instance), out_of_memory_error.
/// Source: Merrill and Garland, decoupled look-back; B. Merry, *Prefix sums on GPUs*, two-level scan; see docs/scan.md.
template <class ExecutionSpace, class In, class Out, monoid_argument Monoid = plus<>, class Engine = engine::automatic>
void exclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, Monoid const& monoid = {},
                    basic_scan_options<Engine> const& options = {}) {
  std::size_t const n = scan::detail::checked_extent<ExecutionSpace>(in, out, "exclusive_scan");
  scan::detail::run_scan<false>(space, n, internal::make_sequence(in), internal::make_output_sequence(out),
                                scan::detail::no_total{}, scan::detail::no_initial_value{}, monoid, options,
                                "exclusive_scan");
}

/// The same behind an initial value, which out(0) becomes: with init 10, 4 3 7 gives 10 14 17.
/// init: a value, or a View of rank 0 of the monoid's value_type that is read on the device when the kernels run.
/// Throws: precondition_error, too, for a number that is none of the monoid's value_type: 300 for int8, -1 for
/// unsigned. A floating-point number for an integer type does not compile.
template <class ExecutionSpace, class In, class Out, class Init, monoid_argument Monoid,
          class Engine = engine::automatic>
void exclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, Init const& init, Monoid const& monoid,
                    basic_scan_options<Engine> const& options = {}) {
  std::size_t const n = scan::detail::checked_extent<ExecutionSpace>(in, out, "exclusive_scan");
  scan::detail::run_scan<false>(space, n, internal::make_sequence(in), internal::make_output_sequence(out),
                                scan::detail::no_total{}, init, monoid, options, "exclusive_scan");
}

/// The same with the combination of init and all elements in `total`, of the output's value type: a View of rank 0,
/// which is written on the device, or a variable of the caller's; then the call waits for the instance. With init 10, 4
/// 3 7 gives 10 14 17 and the total 24. For no elements the total is init.
/// To get a total, give init, too: with one argument between out and monoid, that argument is init.
/// Aliasing: as above; init and total are different Views.
template <class ExecutionSpace, class In, class Out, total_argument Total, class Init, monoid_argument Monoid,
          class Engine = engine::automatic>
void exclusive_scan(ExecutionSpace const& space, In const& in, Out const& out, Total&& total, Init const& init,
                    Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  std::size_t const n = scan::detail::checked_extent<ExecutionSpace>(in, out, "exclusive_scan");
  scan::detail::run_scan<false>(space, n, internal::make_sequence(in), internal::make_output_sequence(out), total, init,
                                monoid, options, "exclusive_scan");
}

}  // namespace upsweep
