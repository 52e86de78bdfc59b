// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/detail/scan_calls.hpp>
#include <upsweep/team/member.hpp>

#include <cstddef>

namespace upsweep::team {

/// Blelloch scan: an up-sweep of sums over a binary tree, the identity at its root, and a down-sweep that hands every
/// node the sum of what lies before it. Exclusive by construction: 1 2 3 4 give 0 1 3 6, and 1 3 6 10 inclusive.
///
/// Pre: called by all threads of the team; scratch holds team_size + 1 values that no thread is still using; in a
/// TeamPolicy kernel the vector length is 1 (lanes that change a value in place would do so more than once).
/// Cost: 2 (N - 1) operations for any N, and N more for the inclusive scan; by at most N / 2 threads at a time;
/// 2 ceil(log2 N) + 2 barriers; N + 1 values of scratch.
/// Order: operands are combined (left, right): a right child gets (what came before, left child); the association
/// depends on N only.
/// Sync: ends with a barrier when every thread has read its result: the scratch may be used again at once.
/// Source: article on reduction and scan, *Blelloch work-efficient scan*; G. E. Blelloch 1990.
struct blelloch : detail::scans_by_exclusive_array<blelloch> {
  /// Bytes of level-0 scratch for a team.
  template <class T>
  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int team_size) {
    return sizeof(T) * (static_cast<std::size_t>(team_size) + 1);
  }

  /// The slot of the combination of all n values behind exclusive_scan_array.
  KOKKOS_FUNCTION static constexpr int slot_of_total(int n) { return n; }

  /// Replaces the n values of `data` by their exclusive scan and sets data[n] to the combination of all, with any
  /// number of threads (n / 2 are busy at most). The values may have been written just before, by any threads.
  /// Sync: starts and ends with a barrier.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static void exclusive_scan_array(Member const& m, int n, Monoid const& op, Scratch data) {
    int const rank = m.team_rank();
    int const size = m.team_size();
    // A node keeps its sum in its last slot, or in slot n - 1 where it reaches beyond. One without a right child shares
    // its slot with its left child and has nothing to do.
    int stride = 1;
    for (; stride < n; stride *= 2) {
      m.team_barrier();
      for (int middle = 2 * stride * rank + stride; middle < n; middle += 2 * stride * size) {
        int const last = middle + stride < n ? middle + stride - 1 : n - 1;
        value_of<Monoid> const left = data[middle - 1], right = data[last];
        data[last] = op(left, right);
      }
    }
    if (n == 1) m.team_barrier();
    if (rank == 0 && n > 0) {  // the thread that wrote the root
      value_of<Monoid> const root = data[n - 1];
      data[n] = root;
      data[n - 1] = op.identity();
    }
    for (stride /= 2; stride > 0; stride /= 2) {
      m.team_barrier();
      for (int middle = 2 * stride * rank + stride; middle < n; middle += 2 * stride * size) {
        int const last = middle + stride < n ? middle + stride - 1 : n - 1;
        value_of<Monoid> const left = data[middle - 1], before = data[last];
        data[middle - 1] = before;
        data[last] = op(before, left);
      }
    }
    m.team_barrier();
  }
};

}  // namespace upsweep::team
