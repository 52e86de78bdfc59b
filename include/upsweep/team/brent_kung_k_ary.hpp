// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/detail/scan_calls.hpp>
#include <upsweep/team/member.hpp>

namespace upsweep::team {

/// Brent-Kung scan in place over a tree with K children per node: fewer levels and barriers, more operations in a row.
/// Values 3 1 7 0 4 1 6 3 of eight threads give 3 4 11 11 15 16 22 25 inclusive, 0 3 4 11 11 15 16 22 exclusive.
///
/// Pre: called by all threads of the team; scratch holds team_size values that no thread is still using; in a
/// TeamPolicy kernel the vector length is 1 (lanes that change a value in place would do so more than once).
/// Cost: 2 (N - 1) - L (K - 1) operations for N = K^L, by at most N / K threads at a time, K - 1 in a row on each
/// level; 2 L + 1 barriers; N values of scratch. K = 2 is brent_kung.
/// Order: operands are combined (left, right); the association depends on N and K only.
/// Sync: ends with a barrier when every thread has read its result: the scratch may be used again at once.
/// Source: B. Merry, *Prefix sums on GPUs*, *Generalizing Brent-Kung*: the tree doesn't have to be binary.
template <int K = 4>
struct brent_kung_k_ary : detail::scans_by_inclusive_array<brent_kung_k_ary<K>> {
  static_assert(K >= 2, "upsweep::team::brent_kung_k_ary: a node has two children or more.");

  /// Replaces the n values of `data` by their inclusive scan, with any number of threads (n / K are busy at most).
  /// The values may have been written just before, by any threads. Sync: starts and ends with a barrier.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static void inclusive_scan_array(Member const& m, int n, Monoid const& op, Scratch data) {
    // A child of `stride` values keeps its sum in its last slot, and a node is K children. Only full children count:
    // what is left over at the end belongs to smaller nodes.
    int stride = 1;
    for (; stride <= n / 2; stride *= K) {
      m.team_barrier();
      for (int node = m.team_rank(); node * K * stride + 2 * stride <= n; node += m.team_size())
        scan_children(node * K * stride + stride - 1, stride, n, op, data);
    }
    for (stride /= K; stride > 0; stride /= K) {
      if ((K + 1) * stride > n) continue;  // no second node: nothing to add to
      m.team_barrier();
      for (int node = m.team_rank() + 1; node * K * stride + stride <= n; node += m.team_size())
        add_to_children(node * K * stride - 1, stride, n, op, data);
    }
    m.team_barrier();
  }

 private:
  // The children of a node, from the second on, become the sum of their left siblings and themselves.
  template <class Monoid, class Scratch>
  KOKKOS_FUNCTION static void scan_children(int slot, int stride, int n, Monoid const& op, Scratch data) {
    value_of<Monoid> running = data[slot];
    for (int j = 1; j < K; ++j) {
      slot += stride;
      if (slot >= n) return;
      value_of<Monoid> const next = data[slot];
      running = op(running, next);
      data[slot] = running;
    }
  }

  // The scanned children of a node, all but the last, which is done, get the sum of everything before the node.
  template <class Monoid, class Scratch>
  KOKKOS_FUNCTION static void add_to_children(int before, int stride, int n, Monoid const& op, Scratch data) {
    value_of<Monoid> const prefix = data[before];
    for (int j = 1; j < K; ++j) {
      int const slot = before + j * stride;
      if (slot >= n) return;
      value_of<Monoid> const sum = data[slot];
      data[slot] = op(prefix, sum);
    }
  }
};

}  // namespace upsweep::team
