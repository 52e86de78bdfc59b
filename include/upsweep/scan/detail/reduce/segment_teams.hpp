// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/reduce/warp_fold.hpp>
#include <upsweep/scan/detail/segments/segment_problem.hpp>

#include <cstddef>

namespace upsweep::scan::detail {

/// Segments of hundreds to thousands of elements: 2^group_bits warps of a team have one each, so that all its loads are
/// in flight together, and the first of them folds the warps' sums.
/// Offsets of the team's next segments are loaded meanwhile.
/// Segments that are longer than longest_whole are left to segment_pieces.
template <class Problem, class Shape, class Lanes>
struct segment_teams {
  using state = typename Problem::state;
  using fold_type =
      warp_fold<typename Problem::input_type, typename Problem::monoid_type, Shape::bytes_per_thread, Lanes>;
  /// Two sums for each warp: those of the team's next segments are stored while the last ones are read.
  struct shared {
    state warp_sum[2][Shape::warps];
  };

  /// By one of `teams` teams. All its threads have to come.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Problem const& problem, fold_type const& fold, int group_bits,
                                              std::size_t longest_whole, Member const& m, std::size_t team,
                                              std::size_t teams) const {
    auto& s = *static_cast<shared*>(
        m.team_scratch(0).get_shmem_aligned(sizeof(shared), Kokkos::max(alignof(shared), std::size_t(16))));
    int const warp = Lanes::uniform(m.team_rank() / Lanes::size), lane = m.team_rank() % Lanes::size;
    int const place = warp & ((1 << group_bits) - 1);
    auto const a_team = static_cast<std::size_t>(Shape::warps >> group_bits);
    std::size_t number = team * a_team + static_cast<std::size_t>(warp >> group_bits);
    segment_range ahead = offsets(problem, number);
    int buffer = 0;
    for (std::size_t first = team * a_team; first < problem.segments; first += teams * a_team) {
      segment_range const now = ahead;
      ahead = offsets(problem, number + teams * a_team);
      segment_range range;
      bool is_own = number < problem.segments;
      if (is_own) range = problem.range(number, now.begin, now.end);
      is_own = is_own && range.end - range.begin <= longest_whole;
      if (!is_own) range.end = range.begin;
      state sum = fold.part(range.begin, range.end, place, group_bits, lane);
      if (group_bits > 0) {
        if (lane == 0) s.warp_sum[buffer][warp] = sum;
        m.team_barrier();
        if (place == 0) sum = fold_group(problem, s.warp_sum[buffer] + warp, sum, group_bits, lane);
        buffer ^= 1;
      }
      if (place == 0 && lane == 0 && is_own) problem.store(number, sum);
      number += teams * a_team;
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static segment_range offsets(Problem const& problem, std::size_t s) {
    if (s < problem.segments) return {problem.offset(s), problem.offset(s + 1)};
    return {};
  }

  /// The fold of a group's sums, in lane 0.
  KOKKOS_FORCEINLINE_FUNCTION static state fold_group(Problem const& problem, state const* of_warp, state const& own,
                                                      int group_bits, int lane) {
    state sum = own;
    if (lane < (1 << group_bits)) sum = of_warp[lane];
    for (int bit = 1; bit < (1 << group_bits); bit *= 2)
      sum = internal::join_lanes<Lanes>(problem.monoid, sum, sum, bit, lane);
    return sum;
  }
};

}  // namespace upsweep::scan::detail
