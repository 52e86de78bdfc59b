// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/detail/scan_calls.hpp>
#include <upsweep/team/member.hpp>

namespace upsweep::team {

/// Tree reduction that keeps the order of its operands: neighbours first, then neighbours of those.
/// Values 2 4 6 8 1 3 5 7 of eight threads give all of them 36, by 7 additions in 3 steps.
///
/// Pre: called by all threads of the team; scratch holds team_size values that no thread is still using; in a
/// TeamPolicy kernel the vector length is 1 (lanes that change a value in place would do so more than once).
/// Cost: N - 1 operations, ceil(log2 N) + 2 barriers, N values of scratch.
/// Order: operands are combined (left, right); the association depends on the team size only.
/// Sync: ends with a barrier when every thread has read the result: the scratch may be used again at once.
/// Source: article on reduction and scan, *tree reduction*.
struct tree_reduction : detail::one_value_per_thread {
  /// The combination of the values of all threads, in all threads.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> reduce(Member const& m, value_of<Monoid> const& value, Monoid const& op,
                                                 Scratch scratch) {
    int const size = m.team_size();
    scratch[m.team_rank()] = value;
    for (int stride = 1; stride < size; stride *= 2) {
      m.team_barrier();
      // The first threads do the work, so that whole warps have nothing to do.
      int const i = 2 * stride * m.team_rank();
      if (i + stride < size) {
        value_of<Monoid> const left = scratch[i], right = scratch[i + stride];
        scratch[i] = op(left, right);
      }
    }
    m.team_barrier();
    value_of<Monoid> const total = scratch[0];
    m.team_barrier();
    return total;
  }
};

}  // namespace upsweep::team
