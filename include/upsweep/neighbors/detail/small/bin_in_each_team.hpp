// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/lanes.hpp>
#include <upsweep/neighbors/detail/grid/binning_kernels.hpp>
#include <upsweep/neighbors/detail/grid/check_particles.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/grid/particle_order.hpp>
#include <upsweep/neighbors/detail/grid/systems.hpp>
#include <upsweep/neighbors/detail/small/scan_in_team.hpp>
#include <upsweep/neighbors/detail/small/small_report.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// How the grid of a small list is cut: as that of any list.
template <class Real>
struct small_frame {
  box<Real> sim_box;
  bool periodic[3] = {};  ///< directions that are cut from border to border of the box
  Real cutoff;
  std::int64_t particles;
  /// Where the box alone decides, the host lays out the grid: one thread of the device takes some microseconds.
  bool is_known = false;
  grid_layout<Real> known = {};

  small_frame(box<Real> const& box, bool has_images, Real r, std::int64_t n) : sim_box(box), cutoff(r), particles(n) {
    is_known = !box.is_of_edges() && !has_images;
    for (int d = 0; d < 3; ++d) {
      periodic[d] = box.periodic(d) && !has_images;
      is_known = is_known && periodic[d];
    }
    if (is_known) known = cut({});
  }

  KOKKOS_FUNCTION grid_layout<Real> lay_out(bounds<Real> const& range) const { return is_known ? known : cut(range); }

 private:
  KOKKOS_FUNCTION grid_layout<Real> cut(bounds<Real> const& range) const {
    return lay_out_grid(make_grid_frame(sim_box, range, periodic, cutoff), cutoff, particles);
  }
};

/// All steps of cell_grid in one team: checks particles, lays out the grid, and puts particles to their places. Places
/// are those of cell_grid, with the same content.
///
/// Work to threads: a thread has every 1024th particle, and neighbouring cells. Shared state: counts, starts and places
/// are in device memory, written and read by this team with its barriers between.
/// Errors: the report says which; then the order is that of the input, and there are no cells.
template <class Lanes, class Positions, class Real>
struct bin_in_one_team {
  using systems = one_system_on_device<Real>;
  static constexpr int team_size = 1024;
  static constexpr int most_each = 4;  ///< particles of a thread
  static constexpr int warps = team_size / Lanes::size;

  summarize_block<Positions, Real, 1> summarize;
  small_frame<Real> frame;
  systems in;  ///< its grid is that of the report
  small_report<Real>* report;
  int* counts;
  std::uint64_t* starts;
  int* cell_of;
  int* order;
  particle_order before;
  store_particle<Positions, Real, systems> store;  ///< where places of particles go, they find their arrival first

  struct scratch {
    particle_summary<Real> of_warp[warps];
    std::uint64_t sums[warps];
    bool failed;
  };

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    auto& s = *static_cast<scratch*>(m.team_scratch(0).get_shmem_aligned(sizeof(scratch), alignof(scratch)));
    auto const n = static_cast<int>(summarize.particles);
    lay_out(m, s);
    if (s.failed) {
      for (int i = m.team_rank(); i < n; i += team_size) order[i] = store.place_of[i] = i;
      return;
    }
    count(m, n);
    start(m, s, n);
    for (int i = m.team_rank(); i < n; i += team_size) order[first_of(cell_of[i]) + store.place_of[i]] = i;
    m.team_barrier();
    arrange(m, n);
  }

 private:
  KOKKOS_FUNCTION int first_of(int cell) const { return cell_starts{starts}.place(cell); }

  template <class Member>
  KOKKOS_FUNCTION void lay_out(Member const& m, scratch& s) const {
    using monoid = particle_summary_monoid<Real>;
    int const rank = m.team_rank(), lane = rank % Lanes::size;
    auto all = monoid{}.identity();
    for (auto i = static_cast<std::size_t>(rank); i < summarize.particles; i += team_size)
      all = monoid{}(all, summarize(i));
    all = internal::fold_lanes<Lanes>(monoid{}, all, lane);
    if (lane == 0) s.of_warp[rank / Lanes::size] = all;
    m.team_barrier();
    if (rank < Lanes::size) {
      all = internal::fold_lanes<Lanes>(monoid{}, lane < warps ? s.of_warp[lane] : monoid{}.identity(), lane);
      if (rank == 0) {
        report->bad = all.bad;
        report->layout = all.bad != 0 ? grid_layout<Real>{} : frame.lay_out(all.range);
        s.failed = report->failed();
      }
    }
    m.team_barrier();
  }

  template <class Member>
  KOKKOS_FUNCTION void count(Member const& m, int n) const {
    int const cells = in.grid->total();
    for (int c = m.team_rank(); c < cells; c += team_size) counts[c] = 0;
    m.team_barrier();
    cell_finder<Positions, systems> const find{store.positions, store.images, in, n, nullptr};
    for (int i = m.team_rank(); i < n; i += team_size) {
      cell_of[i] = find(i);
      store.place_of[i] = Kokkos::atomic_fetch_add(counts + cell_of[i], 1);
    }
    m.team_barrier();
  }

  /// The first place of each cell, and behind the last the end of all.
  template <class Member>
  KOKKOS_FUNCTION void start(Member const& m, scratch& s, int n) const {
    int const cells = in.grid->total();
    part_of_thread const mine(cells, m.team_rank(), team_size);
    std::uint64_t sum = 0;
    for (int c = mine.begin; c < mine.end; ++c) sum += static_cast<std::uint64_t>(counts[c]);
    std::uint64_t before_cell = sum_before<Lanes>(m, sum, s.sums);
    for (int c = mine.begin; c < mine.end; ++c) {
      starts[c] = before_cell;
      before_cell += static_cast<std::uint64_t>(counts[c]);
    }
    if (m.team_rank() == 0) starts[cells] = static_cast<std::uint64_t>(n);
    m.team_barrier();
  }

  /// In each cell by (id, image): a particle counts those before it.
  template <class Member>
  KOKKOS_FUNCTION void arrange(Member const& m, int n) const {
    int mine[most_each], to[most_each];
    UPSWEEP_UNROLL
    for (int k = 0; k < most_each; ++k) {
      int const place = m.team_rank() + k * team_size;
      if (place >= n) continue;
      int const i = mine[k] = order[place], first = first_of(cell_of[i]), end = first_of(cell_of[i] + 1);
      to[k] = first;
      for (int other = first; other < end; ++other) to[k] += before(order[other], i) ? 1 : 0;
    }
    m.team_barrier();
    UPSWEEP_UNROLL
    for (int k = 0; k < most_each; ++k) {
      if (m.team_rank() + k * team_size >= n) continue;
      order[to[k]] = mine[k];
      store(to[k], mine[k]);
    }
  }
};

}  // namespace upsweep::neighbors::detail
