// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/segmented.hpp>
#include <upsweep/team/kogge_stone.hpp>
#include <upsweep/team/member.hpp>

#include <cstddef>

namespace upsweep::team {

/// Segmented scan: one that starts again at every thread with a head flag, by any of the team algorithms.
/// Values 1 2 3 4 with heads 1 0 1 0 give 1 3 3 7 inclusive, 0 1 0 3 exclusive; total {7, true}.
///
/// Pre: called by all threads; scratch holds as many values of type segmented_value<T> as Inner asks for.
/// Cost: that of Inner, for values with a flag.
/// Order: operands are combined (left, right) and only within a segment; the association is that of Inner.
/// Sync: as Inner: the scratch may be used again at once.
/// Source: G. E. Blelloch, *Prefix sums and their applications* (segmented scans).
template <class Inner = kogge_stone>
struct segmented_scan {
  /// Bytes of level-0 scratch for a team.
  template <class T>
  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int team_size) {
    return Inner::template scratch_bytes<segmented_value<T>>(team_size);
  }

  /// The combination of the values from the last head up to and including this thread's; `total`, of the last segment,
  /// with whether there was any head in the team.
  template <member Member, monoid Monoid, scratch_of<segmented_value<value_of<Monoid>>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> inclusive_scan(Member const& m, value_of<Monoid> const& value, bool head,
                                                         Monoid const& op, Scratch scratch,
                                                         segmented_value<value_of<Monoid>>& total) {
    return Inner::inclusive_scan(m, {value, head}, segmented<Monoid>{op}, scratch, total).value;
  }

  /// The combination of the values from the last head up to the thread before this one; the identity at a head.
  template <member Member, monoid Monoid, scratch_of<segmented_value<value_of<Monoid>>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> exclusive_scan(Member const& m, value_of<Monoid> const& value, bool head,
                                                         Monoid const& op, Scratch scratch,
                                                         segmented_value<value_of<Monoid>>& total) {
    segmented<Monoid> const wrapped{op};
    return wrapped.exclusive_value(Inner::exclusive_scan(m, {value, head}, wrapped, scratch, total), head);
  }
};

}  // namespace upsweep::team
