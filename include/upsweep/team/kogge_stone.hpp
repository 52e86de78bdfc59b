// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/detail/scan_calls.hpp>
#include <upsweep/team/member.hpp>

namespace upsweep::team {

/// Kogge-Stone scan over the values of a team's threads, one per thread, in one scratch buffer.
/// Values 3 1 7 0 4 1 6 3 of eight threads give 3 4 11 11 15 16 22 25 inclusive, 0 3 4 11 11 15 16 22 exclusive.
///
/// Pre: called by all threads of the team; scratch holds team_size values that no thread is still using.
/// Cost: N log2 N - (N - 1) operations, 2 ceil(log2 N) + 2 barriers, N values of scratch.
/// Order: operands are combined (left, right); the association depends on the team size only.
/// Sync: ends with a barrier when every thread has read its result: the scratch may be used again at once.
/// Source: *Programming Massively Parallel Processors*, fig. 11.2 to 11.4; B. Merry, *Prefix sums on GPUs*.
struct kogge_stone : detail::scans_by_sweep<kogge_stone> {
 private:
  friend detail::scans_by_sweep<kogge_stone>;

  // In the step `distance` every thread takes the value `distance` to its left, where there is one. The first barrier
  // of a step makes the values of the step before visible; the second keeps them until all have been read.
  template <class Member, class Monoid, class Scratch>
  KOKKOS_FUNCTION static int sweep(Member const& m, value_of<Monoid>& value, Monoid const& op, Scratch scratch) {
    int const rank = m.team_rank();
    int const size = m.team_size();
    scratch[rank] = value;
    for (int distance = 1; distance < size; distance *= 2) {
      m.team_barrier();
      bool const has_left = rank >= distance;
      value_of<Monoid> const left = scratch[has_left ? rank - distance : rank];
      m.team_barrier();
      if (has_left) {
        value = op(left, value);
        scratch[rank] = value;
      }
    }
    m.team_barrier();
    return 0;
  }
};

}  // namespace upsweep::team
