// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/detail/scan_calls.hpp>
#include <upsweep/team/member.hpp>

#include <cstddef>

namespace upsweep::team {

/// Brent-Kung scan with every level of the tree in a place of its own, so that threads touch consecutive slots.
/// Exclusive by construction: 4 3 7 9 2 3 give 0 4 7 14 23 25, and 4 7 14 23 25 28 inclusive.
///
/// Pre: called by all threads of the team; scratch holds tree_size(team_size) values that no thread is still using; in
/// a TeamPolicy kernel the vector length is 1 (lanes that change a value in place would do so more than once).
/// Cost: 2 N - 3 operations for any N > 1, and N more for the inclusive scan; by at most N / 2 threads at a time;
/// 2 ceil(log2 N) + 1 barriers; 2 N - 1 values of scratch where N is a power of two, 2 N + log2 N at most. Inside the
/// tree 4 N - 6 reads and 3 N - 3 writes where N is a power of two.
/// Order: operands are combined (left, right); the association depends on N only.
/// Sync: ends with a barrier when every thread has read its result: the scratch may be used again at once.
/// Source: B. Merry, *Prefix sums on GPUs*, out-of-place Brent-Kung in b[2N].
struct brent_kung_out_of_place : detail::scans_by_exclusive_array<brent_kung_out_of_place> {
  /// Values in the tree over n leaves: tree_size(8) is 8 + 4 + 2 + 1 = 15. The last is the root.
  KOKKOS_FUNCTION static constexpr int tree_size(int n) {
    int values = n;
    for (; n > 1; values += n) n = n / 2 + n % 2;
    return values;
  }

  /// The slot of the combination of all n values behind exclusive_scan_array: the root.
  KOKKOS_FUNCTION static constexpr int slot_of_total(int n) { return tree_size(n) - 1; }

  /// Bytes of level-0 scratch for a team.
  template <class T>
  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int team_size) {
    return sizeof(T) * static_cast<std::size_t>(tree_size(team_size));
  }

  /// Replaces values 0 ... n - 1 of `tree` by their exclusive scan for n > 1, and sets the root to the combination of
  /// all, with any number of threads (n / 2 are busy at most). A single value is its own root and stays as it is.
  /// The values may have been written just before, by any threads. Sync: starts and ends with a barrier.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static void exclusive_scan_array(Member const& m, int n, Monoid const& op, Scratch tree) {
    int const rank = m.team_rank();
    int const size = m.team_size();
    int level = 0;  // where the children begin, `count` of them
    int count = n;
    for (; count > 2; level += count, count = count / 2 + count % 2) {
      m.team_barrier();
      int const parents = level + count;
      for (int i = rank; i < count / 2 + count % 2; i += size) {
        value_of<Monoid> sum = tree[level + 2 * i];
        if (2 * i + 1 < count) {
          value_of<Monoid> const right = tree[level + 2 * i + 1];
          sum = op(sum, right);
        }
        tree[parents + i] = sum;
      }
    }
    if (count == 2) {  // the root, and the exclusive scan of its two children
      m.team_barrier();
      if (rank == 0) {
        value_of<Monoid> const left = tree[level], right = tree[level + 1];
        tree[level + 2] = op(left, right);
        tree[level + 1] = left;
        tree[level] = op.identity();
      }
    }
    while (level > 0) {
      m.team_barrier();
      int const parents = level;
      count = child_count(n, parents);
      level = parents - count;
      for (int i = rank; i < count / 2 + count % 2; i += size) {
        value_of<Monoid> const before = tree[parents + i];
        if (2 * i + 1 < count) {
          value_of<Monoid> const left = tree[level + 2 * i];
          tree[level + 2 * i + 1] = op(before, left);
        }
        tree[level + 2 * i] = before;
      }
    }
    m.team_barrier();
  }

 private:
  // How many children the level has that begins at slot `parents`.
  KOKKOS_FUNCTION static constexpr int child_count(int n, int parents) {
    int level = 0;
    while (level + n < parents) {
      level += n;
      n = n / 2 + n % 2;
    }
    return n;
  }
};

}  // namespace upsweep::team
