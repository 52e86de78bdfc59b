// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/member.hpp>

#include <cstddef>

namespace upsweep::team {

/// Kogge-Stone scan over the values of a team's threads, one a thread, in one scratch buffer.
/// Values 3 1 7 0 4 1 6 3 of eight threads give 3 4 11 11 15 16 22 25 inclusive, 0 3 4 11 11 15 16 22 exclusive.
///
/// Pre: called by all threads of the team; scratch holds team_size values that no thread is still using.
/// Cost: N log2 N - (N - 1) operations, 2 ceil(log2 N) + 2 barriers, N values of scratch.
/// Order: operands are combined (left, right); the association depends on the team size only.
/// Sync: ends with a barrier when every thread has read its result: the scratch may be used again at once.
/// Source: *Programming Massively Parallel Processors*, fig. 11.2 to 11.4; B. Merry, *Prefix sums on GPUs*.
struct kogge_stone {
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
    value = sweep(m, value, op, scratch);
    total = scratch[m.team_size() - 1];
    m.team_barrier();
    return value;
  }

  /// The combination of the values of all threads before this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<typename Monoid::value_type> Scratch>
  KOKKOS_FUNCTION static typename Monoid::value_type exclusive_scan(Member const& m, typename Monoid::value_type value,
                                                                    Monoid const& op, Scratch scratch,
                                                                    typename Monoid::value_type& total) {
    sweep(m, value, op, scratch);
    value = op.identity();
    if (m.team_rank() > 0) value = scratch[m.team_rank() - 1];
    total = scratch[m.team_size() - 1];
    m.team_barrier();
    return value;
  }

 private:
  // Step `distance`: every thread takes the value `distance` to its left, where there is one. The first barrier of a
  // step makes the values of the step before visible; the second keeps them until all have been read.
  template <class Member, class Monoid, class Scratch>
  KOKKOS_FUNCTION static typename Monoid::value_type sweep(Member const& m, typename Monoid::value_type value,
                                                           Monoid const& op, Scratch scratch) {
    int const rank = m.team_rank();
    int const size = m.team_size();
    scratch[rank] = value;
    for (int distance = 1; distance < size; distance *= 2) {
      m.team_barrier();
      bool const has_left = rank >= distance;
      typename Monoid::value_type const left = scratch[has_left ? rank - distance : rank];
      m.team_barrier();
      if (has_left) {
        value = op(left, value);
        scratch[rank] = value;
      }
    }
    m.team_barrier();
    return value;
  }
};

}  // namespace upsweep::team
