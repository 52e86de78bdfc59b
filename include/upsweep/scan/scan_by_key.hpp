// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/scan/detail/calls/segmented_call.hpp>

namespace upsweep {

/// Equality by ==, on the device: what the scans by key compare keys with.
struct equal_keys {
  template <class Key>
  KOKKOS_FUNCTION constexpr bool operator()(Key const& left, Key const& right) const {
    return left == right;
  }
};

/// An inclusive scan that restarts where a key differs from the one before: values 1 2 3 4 with keys 7 7 5 5 give 1 3
/// 3 7. Equal keys that are not adjacent belong to different segments.
///
/// Pre: keys and in, Views of rank 1 or functors, have as many elements as out.
/// Cost: as inclusive_scan on the engine of the options, with states of {value, flag} and 2 n reads of keys (n from
/// memory, n from cache) for each read of in. With the default engine: GPUs with warps read elements once, in 1 launch,
/// with 128 bytes of workspace per tile of 16 KB or more (but as pairs, where values are not 4, 8 or 16 bytes long, or
/// the monoid's state is not as long as they); keys once, too, if they are contiguous numbers no longer than the values
/// and at most 4 times shorter, else twice, the second time from a cache. On CPUs an element and its key are read once
/// where segments are much shorter than tiles of 256 KB of values, and up to twice, the second time from a cache, where
/// they are longer.
/// Order: operands (left, right); association as the engine's: the same bits in each run.
/// Sync: asynchronous with a workspace; without one it waits for the instance.
/// Aliasing: in and out may be the same range; keys and out may not overlap.
/// Throws: precondition_error (extents, overlap, workspace of another instance), out_of_memory_error.
/// Source: G. E. Blelloch, *Prefix sums and their applications* (segmented scans).
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, class Engine = engine::automatic>
void inclusive_scan_by_key(ExecutionSpace const& space, Keys const& keys, In const& in, Out const& out,
                           basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_keys_and_scan<true>(space, keys, in, out, equal_keys{}, options, "inclusive_scan_by_key");
}
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, scan_argument Monoid,
          class Engine = engine::automatic>
void inclusive_scan_by_key(ExecutionSpace const& space, Keys const& keys, In const& in, Out const& out,
                           Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_keys_and_scan<true>(space, keys, in, out, equal_keys{}, options, "inclusive_scan_by_key", monoid);
}

/// The same with a comparison of one's own: a segment ends where equal(keys(i-1), keys(i)) is false.
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, scan_argument Monoid,
          scan_argument Equal, class Engine = engine::automatic>
void inclusive_scan_by_key(ExecutionSpace const& space, Keys const& keys, In const& in, Out const& out,
                           Monoid const& monoid, Equal const& equal, basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_keys_and_scan<true>(space, keys, in, out, equal, options, "inclusive_scan_by_key", monoid);
}

/// The exclusive form, with the identity where a segment starts: values 1 2 3 4 with keys 7 7 5 5 give 0 1 0 3.
/// Cost: as the inclusive form; where values go as pairs with their flags, 2 n reads of keys more. The rest as there.
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, class Engine = engine::automatic>
void exclusive_scan_by_key(ExecutionSpace const& space, Keys const& keys, In const& in, Out const& out,
                           basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_keys_and_scan<false>(space, keys, in, out, equal_keys{}, options, "exclusive_scan_by_key");
}
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, scan_argument Monoid,
          class Engine = engine::automatic>
void exclusive_scan_by_key(ExecutionSpace const& space, Keys const& keys, In const& in, Out const& out,
                           Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_keys_and_scan<false>(space, keys, in, out, equal_keys{}, options, "exclusive_scan_by_key",
                                           monoid);
}

/// The same with a comparison of one's own.
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, scan_argument Monoid,
          scan_argument Equal, class Engine = engine::automatic>
void exclusive_scan_by_key(ExecutionSpace const& space, Keys const& keys, In const& in, Out const& out,
                           Monoid const& monoid, Equal const& equal, basic_scan_options<Engine> const& options = {}) {
  scan::detail::check_keys_and_scan<false>(space, keys, in, out, equal, options, "exclusive_scan_by_key", monoid);
}

UPSWEEP_WITHOUT_SPACE(inclusive_scan_by_key)
UPSWEEP_WITHOUT_SPACE(exclusive_scan_by_key)

}  // namespace upsweep
