// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/neighbor_search.hpp>
#include <upsweep/neighbors/detail/small/scan_in_team.hpp>
#include <upsweep/neighbors/detail/small/small_report.hpp>
#include <upsweep/neighbors/detail/small/small_slots.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// The neighbours of one particle, looked for by the lanes of a warp together.
template <class Lanes, class Real, class Systems>
struct warp_search {
  /// Candidates that a lane loads together: loads take longer than all else.
  static constexpr int unrolled = 4;

  neighbor_search<Real, Systems> search;

  /// visit(whether it is a neighbour, its place, its image as seen from i) by all lanes for candidates side by side,
  /// all candidates in the order of a list's rows.
  template <class Visitor>
  KOKKOS_FUNCTION void operator()(std::int64_t i, int lane, Visitor const& visit) const {
    auto const& p = search.particles;
    int const cell = p.cell_of[i];
    auto const near = p.candidates_in_one_grid({p.system_of(i), cell, cell});
    for (int first = 0; first < near.count(); first += Lanes::size) {
      candidate_run const run = first + lane < near.count() ? near(first + lane) : candidate_run{0, 0, image(0, 0, 0)};
      visit_runs(i, run, lane, visit);
    }
  }

 private:
  /// A run for each lane.
  template <class Visitor>
  KOKKOS_FORCEINLINE_FUNCTION void visit_runs(std::int64_t i, candidate_run const& run, int lane,
                                              Visitor const& visit) const {
    auto const& p = search.particles;
    auto const& sim_box = p.box_of(p.system_of(i));
    int const own = p.place_of[i];
    Real const xi = p.x[own], yi = p.y[own], zi = p.z[own];
    // Candidates of runs up to the lane's one, and what leads from a candidate's number to its place.
    int const through = internal::scan_lanes<Lanes>(plus<int>{}, run.end - run.begin, lane);
    int const to_place = run.end - through;
    int const all = Lanes::shuffle(through, Lanes::size - 1);
    for (int from = 0; from < all; from += unrolled * Lanes::size) {
      int place[unrolled];
      image im[unrolled];
      Real x[unrolled], y[unrolled], z[unrolled];
      UPSWEEP_UNROLL
      for (int u = 0; u < unrolled; ++u) {
        int const at = from + u * Lanes::size + lane, of = run_of(at, through);
        int const k = at + Lanes::shuffle(to_place, of);
        im[u] = Lanes::shuffle(run.shift, of);
        place[u] = at < all ? k : own;
        if (p.images != nullptr) im[u] = p.images[place[u]];
        x[u] = p.x[place[u]], y[u] = p.y[place[u]], z[u] = p.z[place[u]];
      }
      UPSWEEP_UNROLL
      for (int u = 0; u < unrolled; ++u) {
        auto const s = sim_box.shift(im[u]);
        Real const r2 = p.length_squared((x[u] - xi) + s[0], (y[u] - yi) + s[1], (z[u] - zi) + s[2]);
        bool const there = from + u * Lanes::size + lane < all && r2 <= p.cutoff_squared &&
                           !(place[u] == own && im[u] == image(0, 0, 0));
        visit(there && search.rules(own, place[u], im[u], r2), place[u], im[u]);
      }
    }
  }

  /// The lane whose run has a candidate: the first with more candidates up to its run than the number of this one.
  KOKKOS_FORCEINLINE_FUNCTION static int run_of(int at, int through) {
    int lane = 0;
    UPSWEEP_UNROLL
    for (int half = Lanes::size / 2; half > 0; half /= 2)
      if (Lanes::shuffle(through, lane + half - 1) <= at) lane += half;
    return lane;
  }
};

/// What the two kernels below have in common: one warp per row.
template <class Lanes>
struct row_warps {
  static constexpr int team_size = 128, warps = team_size / Lanes::size;

  template <class Member>
  KOKKOS_FUNCTION static std::int64_t row(Member const& m) {
    return static_cast<std::int64_t>(m.league_rank()) * warps + m.team_rank() / Lanes::size;
  }
};

/// One warp per row: counts its neighbours.
template <class Lanes, class Real, class Systems>
struct count_rows_by_warps : row_warps<Lanes> {
  warp_search<Lanes, Real, Systems> search;
  small_report<Real> const* report;
  std::size_t* counts;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    auto const i = this->row(m);
    int const lane = m.team_rank() % Lanes::size;
    if (i >= search.search.particles.rows) return;
    std::size_t count = 0;
    if (!report->failed())
      search(i, lane,
             [&](bool hit, int, image) { count += static_cast<std::size_t>(Lanes::popcount(Lanes::ballot(hit))); });
    if (lane == 0) counts[i] = count;
  }
};

/// One team: counts of rows to offsets, and the whole report to where the host reads it.
template <class Lanes, class Real>
struct offsets_in_one_team {
  static constexpr int team_size = 1024, warps = team_size / Lanes::size;

  std::size_t* offsets;  ///< counts before
  int rows;
  small_report<Real> const* found;
  small_report<Real>* out;

  struct scratch {
    std::uint64_t sums[warps], largest[warps];
  };

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    auto& s = *static_cast<scratch*>(m.team_scratch(0).get_shmem_aligned(sizeof(scratch), alignof(scratch)));
    part_of_thread const mine(rows, m.team_rank(), team_size);
    std::uint64_t sum = 0, largest = 0;
    for (int i = mine.begin; i < mine.end; ++i) {
      sum += offsets[i];
      largest = Kokkos::max(largest, static_cast<std::uint64_t>(offsets[i]));
    }
    int const lane = m.team_rank() % Lanes::size;
    largest = internal::fold_lanes<Lanes>(max<std::uint64_t>{}, largest, lane);
    if (lane == 0) s.largest[m.team_rank() / Lanes::size] = largest;
    std::uint64_t next = sum_before<Lanes>(m, sum, s.sums);
    for (int i = mine.begin; i < mine.end; ++i) {
      auto const count = offsets[i];
      offsets[i] = static_cast<std::size_t>(next);
      next += count;
    }
    if (m.team_rank() + 1 != team_size) return;
    offsets[rows] = static_cast<std::size_t>(next);
    for (int w = 0; w < warps; ++w) largest = Kokkos::max(largest, s.largest[w]);
    *out = *found;
    out->pairs = next;
    out->largest_row = largest;
  }
};

/// One warp per row: writes it, if the slots hold it.
template <class Lanes, class Real, class Systems>
struct emit_rows_by_warps : row_warps<Lanes> {
  warp_search<Lanes, Real, Systems> search;
  std::size_t const* offsets;
  small_slots<Real> to;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    auto const& p = search.search.particles;
    auto const i = this->row(m);
    int const lane = m.team_rank() % Lanes::size;
    if (i >= p.rows || !to.hold(offsets[i + 1])) return;
    std::size_t next = offsets[i];
    int const own = p.place_of[i];
    search(i, lane, [&](bool hit, int place, image im) {
      auto const hits = Lanes::ballot(hit);
      if (hit) {
        std::size_t const at = next + static_cast<std::size_t>(Lanes::popcount_below(hits, lane));
        to.neighbors[at] = p.order[place] - p.first_candidate;
        if (to.images != nullptr) to.images[at] = im;
        if (to.values.any()) store_pair(to.values, at, p, own, place, im);
      }
      next += static_cast<std::size_t>(Lanes::popcount(hits));
    });
  }
};

}  // namespace upsweep::neighbors::detail
