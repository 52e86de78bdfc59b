// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/detail/scan_calls.hpp>
#include <upsweep/team/member.hpp>

namespace upsweep::team {

/// Scan by the first thread of a team, one value after the other: the yardstick of the others.
/// Values 3 1 7 0 4 1 6 3 of eight threads give 3 4 11 11 15 16 22 25 inclusive, 0 3 4 11 11 15 16 22 exclusive.
///
/// Pre: called by all threads of the team; scratch holds team_size values that no thread is still using; in a
/// TeamPolicy kernel the vector length is 1 (lanes that change a value in place would do so more than once).
/// Cost: N - 1 operations, all by one thread; 3 barriers (none in a team of one thread); N values of scratch.
/// Order: operands are combined (left, right), as a strict left fold.
/// Sync: ends with a barrier when every thread has read its result: the scratch may be used again at once.
/// Source: *Programming Massively Parallel Processors*, fig. 11.1.
struct sequential : detail::scans_by_sweep<sequential> {
  /// The combination of the values of all threads up to and including this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> inclusive_scan(Member const& m, value_of<Monoid> value, Monoid const& op,
                                                         Scratch scratch, value_of<Monoid>& total) {
    if (m.team_size() > 1) return by_sweep::inclusive_scan(m, value, op, scratch, total);
    return total = value;
  }

  /// The combination of the values of all threads before this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> exclusive_scan(Member const& m, value_of<Monoid> value, Monoid const& op,
                                                         Scratch scratch, value_of<Monoid>& total) {
    if (m.team_size() > 1) return by_sweep::exclusive_scan(m, value, op, scratch, total);
    total = value;
    return op.identity();
  }

 private:
  using by_sweep = detail::scans_by_sweep<sequential>;
  friend by_sweep;

  template <class Member, class Monoid, class Scratch>
  KOKKOS_FUNCTION static int sweep(Member const& m, value_of<Monoid>& value, Monoid const& op, Scratch scratch) {
    scratch[m.team_rank()] = value;
    m.team_barrier();
    if (m.team_rank() == 0) {
      value_of<Monoid> running = value;
      for (int i = 1; i < m.team_size(); ++i) {
        value_of<Monoid> const next = scratch[i];
        running = op(running, next);
        scratch[i] = running;
      }
    }
    m.team_barrier();
    value = scratch[m.team_rank()];
    return 0;
  }
};

}  // namespace upsweep::team
