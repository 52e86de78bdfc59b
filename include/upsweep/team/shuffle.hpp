// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/detail/lanes.hpp>
#include <upsweep/team/detail/scan_calls.hpp>
#include <upsweep/team/internal/warp_sums.hpp>
#include <upsweep/team/kogge_stone.hpp>
#include <upsweep/team/member.hpp>

#include <type_traits>

namespace upsweep::team {

/// Scan by warp shuffles: every warp scans its values in registers, and the warps' sums pass through scratch.
/// Values 3 1 7 0 4 1 6 3 of eight threads give 3 4 11 11 15 16 22 25 inclusive, 0 3 4 11 11 15 16 22 exclusive.
///
/// On CUDA and HIP only, in Kokkos' own team kernels; kogge_stone elsewhere.
/// Pre: called by all threads of the team; scratch holds team_size values that no thread is still using; values are
/// trivially copyable.
/// Cost: 2 barriers; for warps of W threads N log2 W operations at most, and N / W + 1 more by every thread; scratch
/// for N values, of which N / W are used (elsewhere as kogge_stone, which may run the same code on the host).
/// Order: operands are combined (left, right); the association depends on the team size and the warp's width only.
/// Sync: ends with a barrier when every thread has read its result: the scratch may be used again at once.
/// Source: article on reduction and scan, *warp shuffle*.
struct shuffle : detail::one_value_per_thread {
  /// The combination of the values of all threads up to and including this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> inclusive_scan(Member const& m, value_of<Monoid> value, Monoid const& op,
                                                         Scratch scratch, value_of<Monoid>& total) {
#if defined(UPSWEEP_TEAM_HAS_LANES)
    auto const before = warp_sums(m, value, op, scratch, total);
    return op(before, value);
#else
    return kogge_stone::inclusive_scan(m, value, op, scratch, total);
#endif
  }

  /// The combination of the values of all threads before this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> exclusive_scan(Member const& m, value_of<Monoid> value, Monoid const& op,
                                                         Scratch scratch, value_of<Monoid>& total) {
#if defined(UPSWEEP_TEAM_HAS_LANES)
    auto const before = warp_sums(m, value, op, scratch, total);
    // What the thread to the left has; the first of a warp has no such thread.
    auto const left = detail::from_lane_below(value, 1);
    return m.team_rank() % detail::lanes() == 0 ? before : op(before, left);
#else
    return kogge_stone::exclusive_scan(m, value, op, scratch, total);
#endif
  }

#if defined(UPSWEEP_TEAM_HAS_LANES)
 private:
  // Makes `value` the inclusive scan within the warp; returns the sum of the warps before this one.
  template <class Member, class Monoid, class Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> warp_sums(Member const& m, value_of<Monoid>& value, Monoid const& op,
                                                    Scratch scratch, value_of<Monoid>& total) {
    static_assert(std::is_trivially_copyable_v<value_of<Monoid>>,
                  "upsweep::team::shuffle: values travel between registers, so their type must be trivially copyable.");
    int const rank = m.team_rank(), size = m.team_size(), width = detail::lanes();
    int const lane = rank % width, warp = rank / width;
    for (int distance = 1; distance < width; distance *= 2) {
      auto const left = detail::from_lane_below(value, distance);
      if (lane >= distance) value = op(left, value);
    }
    if (lane == width - 1 || rank == size - 1) scratch[warp] = value;
    m.team_barrier();
    // At most 32 sums, read by all threads of a warp at the same time: a broadcast, without a further barrier.
    int const warps = (size + width - 1) / width;
    auto const before = internal::fold_warps(op, scratch, warp, warps, total);
    m.team_barrier();
    return before;
  }
#endif
};

}  // namespace upsweep::team
