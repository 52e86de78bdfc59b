// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/member.hpp>

#include <cstddef>

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
struct sequential {
  /// Bytes of level-0 scratch for a team.
  template <class T>
  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int team_size) {
    return sizeof(T) * static_cast<std::size_t>(team_size);
  }

  /// The combination of the values of all threads up to and including this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<typename Monoid::value_type> Scratch>
  KOKKOS_FUNCTION static typename Monoid::value_type inclusive_scan(Member const& m, typename Monoid::value_type value,
                                                                    Monoid const& op, Scratch scratch,
                                                                    typename Monoid::value_type& total) {
    if (m.team_size() == 1) return total = value;
    fold(m, value, op, scratch);
    value = scratch[m.team_rank()];
    total = scratch[m.team_size() - 1];
    m.team_barrier();
    return value;
  }

  /// The combination of the values of all threads before this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<typename Monoid::value_type> Scratch>
  KOKKOS_FUNCTION static typename Monoid::value_type exclusive_scan(Member const& m, typename Monoid::value_type value,
                                                                    Monoid const& op, Scratch scratch,
                                                                    typename Monoid::value_type& total) {
    if (m.team_size() == 1) {
      total = value;
      return op.identity();
    }
    fold(m, value, op, scratch);
    value = op.identity();
    if (m.team_rank() > 0) value = scratch[m.team_rank() - 1];
    total = scratch[m.team_size() - 1];
    m.team_barrier();
    return value;
  }

 private:
  template <class Member, class Monoid, class Scratch>
  KOKKOS_FUNCTION static void fold(Member const& m, typename Monoid::value_type running, Monoid const& op,
                                   Scratch scratch) {
    scratch[m.team_rank()] = running;
    m.team_barrier();
    if (m.team_rank() == 0) {
      for (int i = 1; i < m.team_size(); ++i) {
        typename Monoid::value_type const next = scratch[i];
        running = op(running, next);
        scratch[i] = running;
      }
    }
    m.team_barrier();
  }
};

}  // namespace upsweep::team
