// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/few_particles/few_particles_slots.hpp>
#include <upsweep/neighbors/detail/few_particles/warp_search.hpp>
#include <upsweep/neighbors/detail/grid/few_particles_report.hpp>
#include <upsweep/neighbors/detail/grid/row_sums.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// All rows by one launch: counts them, finds where each begins, and writes those that there is memory for.
///
/// Work to threads: a warp has a row; where rows are fewer than the teams that a GPU holds, all warps of a team share
/// one. A team has few warps, so that 500 rows are on as many multiprocessors as a GPU has. A warp keeps the hits of
/// its first candidates as bits, and makes the row of them; where there are more, it computes distances again.
/// Shared state: numbers of pairs, between teams by row_sums; Progress is said there. What else is read, the launch
/// before has written.
/// Errors: without places there are no pairs.
template <class Lanes, class Real, class Systems>
struct build_rows_by_warps {
  static constexpr int team_size = 128, warps = team_size / Lanes::size;
  /// Teams of a multiprocessor for which registers have to suffice, except for two words. With 8 teams 264 bytes of a
  /// thread are in memory, and lists of 4000 particles take as long (H100, 2026-11-28).
  static constexpr int least_resident = 5;
  /// Teams whose sums are loaded together.
  static constexpr int most_waited = 8;

  warp_search<Lanes, Real, Systems> search;
  few_particles_report<Real> const* found;
  few_particles_report<Real>* out;  ///< where the host reads it
  row_sums sums;
  std::size_t* offsets;
  few_particles_slots<Real> to;
  int parts;  ///< of a row: warps that share it

  /// Warps of a team that share a row: while all teams are on a GPU of 132 multiprocessors together.
  static int parts_of_row(std::int64_t rows) { return rows <= 640 ? warps : rows <= 1280 ? warps / 2 : 1; }
  /// At least one, which reports.
  static int teams(std::int64_t rows, int parts) {
    return rows == 0 ? 1 : static_cast<int>(internal::divide_up<std::int64_t>(rows * parts, warps));
  }

  struct scratch {
    std::uint64_t counts[warps], before[warps], largest[warps];
    int team;
  };

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    auto& s = *static_cast<scratch*>(m.team_scratch(0).get_shmem_aligned(sizeof(scratch), alignof(scratch)));
    auto const& p = search.search.particles;
    int const rank = m.team_rank(), warp = rank / Lanes::size, lane = rank % Lanes::size;
    if (rank == 0) s.team = sums.take_number();
    // Read while the number is under way.
    auto const grid = found->layout.grid;
    bool const failed = found->failed();
    m.team_barrier();
    int const team = s.team, part = warp % parts, i = (team * warps + warp) / parts;
    bool const has_row = i < p.rows && !failed;
    row_hits<Lanes> hits;
    if (has_row) hits = search.count(grid, i, {part, parts}, lane);
    if (lane == 0) s.counts[warp] = hits.count;
    m.team_barrier();
    std::uint64_t const own = internal::fold_warps(plus<std::uint64_t>{}, 0, s.counts, warps);
    if (rank == 0) sums.publish(team, own, largest_row(s));
    std::uint64_t before =
        internal::fold_lanes<Lanes>(plus<std::uint64_t>{}, sums.part_before(team, rank, team_size), lane);
    if (lane == 0) s.before[warp] = before;
    m.team_barrier();
    before = internal::fold_warps(plus<std::uint64_t>{}, 0, s.before, warps);
    std::uint64_t const pairs = before + own;
    before = internal::fold_warps(plus<std::uint64_t>{}, before, s.counts, warp);
    if (has_row) {
      if (lane == 0 && part == 0) offsets[i] = static_cast<std::size_t>(before);
      if (to.hold(static_cast<std::size_t>(before) + hits.count))
        search.write(found->layout.grid, i, lane, hits, to, static_cast<std::size_t>(before));
    }
    if (team == sums.teams - 1) report(m, s, pairs);
  }

 private:
  /// Of the team.
  KOKKOS_FUNCTION std::uint64_t largest_row(scratch const& s) const {
    std::uint64_t largest = 0;
    for (int first = 0; first < warps; first += parts) {
      std::uint64_t row = 0;
      for (int k = first; k < first + parts; ++k) row += s.counts[k];
      largest = Kokkos::max(largest, row);
    }
    return largest;
  }

  /// By the last team: how many pairs there are.
  template <class Member>
  KOKKOS_FUNCTION void report(Member const& m, scratch& s, std::uint64_t pairs) const {
    int const rank = m.team_rank(), lane = rank % Lanes::size;
    std::uint64_t largest = 0;
    for (int first = 0; first < sums.teams; first += most_waited * team_size)
      sums.template wait_for<most_waited>(sums.largest_of(first), sums.teams - first, rank, team_size,
                                          [&](std::uint64_t row) { largest = Kokkos::max(largest, row); });
    largest = internal::fold_lanes<Lanes>(max<std::uint64_t>{}, largest, lane);
    if (lane == 0) s.largest[rank / Lanes::size] = largest;
    m.team_barrier();
    if (rank != 0) return;
    offsets[search.search.particles.rows] = static_cast<std::size_t>(pairs);
    *out = *found;
    out->pairs = pairs;
    out->largest_row = internal::fold_warps(max<std::uint64_t>{}, 0, s.largest, warps);
  }
};

}  // namespace upsweep::neighbors::detail
