// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/team/kogge_stone.hpp>

#include <cstddef>

namespace upsweep::team {

/// Coarsened scan: every thread of a team holds `Items` consecutive values, folds them alone, the folds are scanned by
/// `Inner`, and every thread then scans its own values from there. Two threads with {1, 2} and {3, 4} and prefix 0 end
/// with {1, 3} and {6, 10} inclusive, {0, 1} and {3, 6} exclusive.
///
/// Pre: called by all threads; thread r holds values r * Items ... of the sequence, padded by identity() at its end.
/// Cost: about 2 N operations for N = Items * team_size values, plus Inner's for team_size values; Inner's barriers.
/// Order: operands are combined (left, right), prefix first; the association depends on Items and the team size only.
/// Sync: as Inner: the scratch may be used again at once.
/// Source: *Programming Massively Parallel Processors*, three-phase scan (fig. 11.8); the VT of Modern GPU.
template <int Items, class Inner = kogge_stone>
struct coarsened {
  static_assert(Items >= 1, "upsweep::team::coarsened: a thread holds at least one item.");

  /// Bytes of level-0 scratch for a team.
  template <class T>
  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int team_size) {
    return Inner::template scratch_bytes<T>(team_size);
  }

  /// Replaces items by their inclusive scan behind `prefix`, and `prefix` by its combination with the team's items.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static void inclusive_scan(Member const& m, value_of<Monoid> (&items)[Items], Monoid const& op,
                                             Scratch scratch, value_of<Monoid>& prefix) {
    inclusive_items(items, op, pass_prefix(m, items, op, scratch, prefix));
  }

  /// Replaces items by their exclusive scan behind `prefix`, and `prefix` by its combination with the team's items.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static void exclusive_scan(Member const& m, value_of<Monoid> (&items)[Items], Monoid const& op,
                                             Scratch scratch, value_of<Monoid>& prefix) {
    exclusive_items(items, op, pass_prefix(m, items, op, scratch, prefix));
  }

  /// First two phases: the combination of the items of all threads before this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> scan_threads(Member const& m, value_of<Monoid> const (&items)[Items],
                                                       Monoid const& op, Scratch scratch, value_of<Monoid>& total) {
    auto fold = items[0];
    UPSWEEP_UNROLL
    for (int k = 1; k < Items; ++k) fold = op(fold, items[k]);
    return Inner::exclusive_scan(m, fold, op, scratch, total);
  }

  /// Last phase, without the team: items become their inclusive scan behind `running`.
  template <monoid Monoid>
  KOKKOS_FUNCTION static void inclusive_items(value_of<Monoid> (&items)[Items], Monoid const& op,
                                              value_of<Monoid> running) {
    UPSWEEP_UNROLL
    for (int k = 0; k < Items; ++k) {
      running = op(running, items[k]);
      items[k] = running;
    }
  }

  /// Last phase, without the team: items become their exclusive scan behind `running`.
  template <monoid Monoid>
  KOKKOS_FUNCTION static void exclusive_items(value_of<Monoid> (&items)[Items], Monoid const& op,
                                              value_of<Monoid> running) {
    UPSWEEP_UNROLL
    for (int k = 0; k < Items; ++k) {
      auto const item = items[k];
      items[k] = running;
      running = op(running, item);
    }
  }

 private:
  // Returns the combination of `prefix` and the items of all threads before this one; replaces `prefix` as a scan does.
  template <class Member, class Monoid, class Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> pass_prefix(Member const& m, value_of<Monoid> const (&items)[Items],
                                                      Monoid const& op, Scratch scratch, value_of<Monoid>& prefix) {
    auto total = op.identity();
    value_of<Monoid> const before = op(prefix, scan_threads(m, items, op, scratch, total));
    prefix = op(prefix, total);
    return before;
  }
};

}  // namespace upsweep::team
