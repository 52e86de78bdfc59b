// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/detail/scan_calls.hpp>
#include <upsweep/team/member.hpp>

namespace upsweep::team {

/// Brent-Kung scan in place: sums of pairs, of pairs of pairs and so on up a tree, then the missing sums down it.
/// Values 3 1 7 0 4 1 6 3 of eight threads give 3 4 11 11 15 16 22 25 inclusive, 0 3 4 11 11 15 16 22 exclusive.
///
/// Pre: called by all threads of the team; scratch holds team_size values that no thread is still using; in a
/// TeamPolicy kernel the vector length is 1 (lanes that change a value in place would do so more than once).
/// Cost: 2 N - 2 - log2 N operations where N is a power of two, in general 2 N - popcount(N) - floor(log2 N) - 1, by at
/// most N / 2 threads at a time; 2 floor(log2 N) + 1 barriers, one more from N = 3/2 of a power of two on; N values of
/// scratch.
/// Order: operands are combined (left, right); the association depends on N only.
/// Sync: ends with a barrier when every thread has read its result: the scratch may be used again at once.
/// Source: *Programming Massively Parallel Processors*, fig. 11.5 to 11.7; B. Merry, *Prefix sums on GPUs*.
struct brent_kung : detail::scans_by_inclusive_array<brent_kung> {
  /// Replaces the n values of `data` by their inclusive scan, with any number of threads (n / 2 are busy at most).
  /// The values may have been written just before, by any threads. Sync: starts and ends with a barrier.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static void inclusive_scan_array(Member const& m, int n, Monoid const& op, Scratch data) {
    int const rank = m.team_rank();
    int const size = m.team_size();
    // Up: the last slot of every full group of 2 stride values becomes the sum of its group.
    int stride = 1;
    for (; stride <= n / 2; stride *= 2) {
      m.team_barrier();
      for (int i = 2 * stride * (rank + 1) - 1; i < n; i += 2 * stride * size) {
        value_of<Monoid> const left = data[i - stride], right = data[i];
        data[i] = op(left, right);
      }
    }
    // Down: behind a group that is done, the sum of half a group becomes the sum of everything up to there.
    for (stride /= 2; stride > 0; stride /= 2) {
      if (3 * stride > n) continue;
      m.team_barrier();
      for (int i = 2 * stride * (rank + 1) - 1; i + stride < n; i += 2 * stride * size) {
        value_of<Monoid> const left = data[i], right = data[i + stride];
        data[i + stride] = op(left, right);
      }
    }
    m.team_barrier();
  }
};

}  // namespace upsweep::team
