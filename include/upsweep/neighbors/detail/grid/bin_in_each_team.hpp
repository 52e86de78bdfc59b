// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/neighbors/detail/grid/check_particles.hpp>
#include <upsweep/neighbors/detail/grid/few_particles_report.hpp>
#include <upsweep/neighbors/detail/grid/grid_cut.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/grid/particle_order.hpp>
#include <upsweep/neighbors/detail/grid/row_sums.hpp>
#include <upsweep/neighbors/detail/grid/scan_in_team.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// Where the kernel below leaves particles: what binned_particles reads of them.
template <class Real>
struct few_particles_places {
  Real *x, *y, *z;
  image* images;  ///< only with images of the caller
  int* order;
  int* place_of;
  int* cell_of;
  std::uint64_t* starts;
};

/// All steps of cell_grid by one launch: checks particles, lays out the grid, and puts particles to their places.
/// Places are those of cell_grid, with the same content.
///
/// Each team bins all particles, in scratch memory, and writes what comes of its share of them: so teams need not know
/// of each other, and global memory is read once and written once. (Counts in global memory, one team: 16 us for 500
/// particles, H200, 2026-11-23.)
/// Work to threads: a thread bins every 512th particle and scans neighbouring cells. Of the team's share four threads
/// have a particle each: they compare it with the others of its cell.
/// Shared state: scratch, with barriers between its uses; atomics put particles into cells, in an order that differs
/// from team to team. Places do not: they are numbers of particles that come before.
/// Errors: the report says which; then the order is that of the input, and there are no cells.
template <class Lanes, class Positions, class Real>
struct bin_in_each_team {
  /// With 1024 threads and their 64 registers some values would be in memory.
  static constexpr int team_size = 512;
  static constexpr int least_resident = 1;
  static constexpr int warps = team_size / Lanes::size;
  static constexpr int comparing = 4;                  ///< threads that find the place of a particle
  static constexpr int share = team_size / comparing;  ///< particles that a team writes

  summarize_block<Positions, Real, 1> summarize;
  grid_cut<Real> frame;
  few_particles_report<Real>* report;
  particle_order before;
  few_particles_places<Real> to;
  row_sums sums;  ///< to be cleared for the launch behind this one

  /// So that numbers of particles, and of cells, have 16 bits. (A team has scratch for fewer.)
  static constexpr std::int64_t most_particles = 1 << 15;

  int teams() const { return (particles() + share - 1) / share; }
  std::size_t scratch_bytes() const {
    return sizeof(scratch) + (static_cast<std::size_t>(most_cells(frame.particles)) + 1) * sizeof(int) +
           2 * summarize.particles * sizeof(std::uint16_t) + 4 * alignment;
  }

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    tables const in(m, *this);
    sums.clear(m.league_rank() * team_size + m.team_rank(), m.league_size() * team_size);
    check(m, in);
    int const i = m.league_rank() * share + m.team_rank() / comparing;
    if (in.common->failed) {
      if (i < particles() && m.team_rank() % comparing == 0) to.order[i] = to.place_of[i] = i;
      return;
    }
    place(m, in);
    write_starts(m, in);
    arrange(m, in, i);
  }

 private:
  static constexpr std::size_t alignment = 16;

  struct scratch {
    particle_summary<Real> of_warp[warps];
    int sums[warps];
    grid_layout<Real> layout;
    std::uint64_t bad;
    bool failed;
  };

  /// What a team has in scratch.
  struct tables {
    scratch* common;
    /// Behind a 0 the particles of each cell, then its first place, then its end: the first place of the next cell.
    int* starts;
    std::uint16_t* cell_of;
    std::uint16_t* order;  ///< the particles of each cell, in any order

    template <class Member>
    KOKKOS_FUNCTION tables(Member const& m, bin_in_each_team const& of)
        : common(take<scratch>(m, 1)),
          starts(take<int>(m, static_cast<std::size_t>(of.cells_at_most()) + 1)),
          cell_of(take<std::uint16_t>(m, of.summarize.particles)),
          order(take<std::uint16_t>(m, of.summarize.particles)) {}
    template <class T, class Member>
    KOKKOS_FUNCTION static T* take(Member const& m, std::size_t n) {
      return static_cast<T*>(m.team_scratch(0).get_shmem_aligned(n * sizeof(T), alignment));
    }

    KOKKOS_FUNCTION grid_geometry<Real> const& grid() const { return common->layout.grid; }
    KOKKOS_FUNCTION int cell_at(typename box<Real>::vector const& t) const {
      return grid().index(grid().coordinate(t[0], 0), grid().coordinate(t[1], 1), grid().coordinate(t[2], 2));
    }
    /// Particle i is one more of the cell at t.
    KOKKOS_FUNCTION void count(int i, typename box<Real>::vector const& t) const {
      int const cell = cell_at(t);
      cell_of[i] = static_cast<std::uint16_t>(cell);
      Kokkos::atomic_add(starts + cell + 1, 1);
    }
  };
  KOKKOS_FUNCTION int particles() const { return static_cast<int>(summarize.particles); }
  KOKKOS_FUNCTION box<Real> const& sim_box() const { return summarize.bad.sim_box; }
  KOKKOS_FUNCTION int cells_at_most() const { return static_cast<int>(most_cells(frame.particles)); }
  KOKKOS_FUNCTION image image_of(int i) const {
    return summarize.bad.images == nullptr ? image(0, 0, 0) : summarize.bad.images[i];
  }

  /// The layout and whether it can be used; then how many particles each cell has.
  template <class Member>
  KOKKOS_FUNCTION void check(Member const& m, tables const& in) const {
    int const rank = m.team_rank(), n = particles();
    auto& s = *in.common;
    auto x = summarize.bad.positions(Kokkos::min(rank, n - 1));
    for (int c = rank; c <= cells_at_most(); c += team_size) in.starts[c] = 0;
    if (rank == 0) {
      s.bad = 0;
      if (frame.is_known) s.layout = frame.known;
    }
    m.team_barrier();
    auto all = particle_summary_monoid<Real>{}.identity();
    bool const orthogonal = !sim_box().is_triclinic();
    UPSWEEP_NO_UNROLL
    for (int i = rank; i < n; i += team_size) {
      auto const next = summarize.bad.positions(Kokkos::min(i + team_size, n - 1));  // while this one is worked on
      auto const t = summarize.add(all, static_cast<std::size_t>(i), x, orthogonal);
      if (frame.is_known && all.bad == 0) in.count(i, t);
      x = next;
    }
    if (all.bad != 0) Kokkos::atomic_max(&s.bad, all.bad);
    if (!frame.is_known) lay_out(m, s, all);
    m.team_barrier();
    if (rank == 0) {
      s.failed = s.bad != 0 || s.layout.reaches_too_far();
      if (m.league_rank() == 0) {
        report->layout = s.layout;
        report->bad = s.bad;
      }
    }
    if (!frame.is_known && s.bad == 0) {
      UPSWEEP_NO_UNROLL
      for (int i = rank; i < n; i += team_size)
        in.count(i, cell_position(sim_box(), sim_box().wrap(summarize.bad.positions(i)), image_of(i)));
    }
    m.team_barrier();
  }

  /// The layout for the particles' range.
  template <class Member>
  KOKKOS_FUNCTION void lay_out(Member const& m, scratch& s, particle_summary<Real> all) const {
    using monoid = particle_summary_monoid<Real>;
    int const rank = m.team_rank(), lane = rank % Lanes::size;
    all = internal::fold_lanes<Lanes>(monoid{}, all, lane);
    if (lane == 0) s.of_warp[rank / Lanes::size] = all;
    m.team_barrier();
    if (rank >= Lanes::size) return;
    all = internal::fold_lanes<Lanes>(monoid{}, lane < warps ? s.of_warp[lane] : monoid{}.identity(), lane);
    if (rank == 0) s.layout = all.bad != 0 ? grid_layout<Real>{} : frame.cut(sim_box(), all.range);
  }

  /// Particles into their cells, in any order.
  template <class Member>
  KOKKOS_FUNCTION void place(Member const& m, tables const& in) const {
    int const rank = m.team_rank(), n = particles();
    part_of_thread const mine(in.grid().total(), rank, team_size);
    int sum = 0;
    for (int c = mine.begin; c < mine.end; ++c) sum += in.starts[c + 1];
    int before_cell = sum_before<Lanes>(m, sum, in.common->sums);
    for (int c = mine.begin; c < mine.end; ++c) {
      int const count = in.starts[c + 1];
      in.starts[c + 1] = before_cell;
      before_cell += count;
    }
    m.team_barrier();
    UPSWEEP_NO_UNROLL
    for (int i = rank; i < n; i += team_size)
      in.order[Kokkos::atomic_fetch_add(in.starts + in.cell_of[i] + 1, 1)] = static_cast<std::uint16_t>(i);
    m.team_barrier();
  }

  /// The team's share of cells.
  template <class Member>
  KOKKOS_FUNCTION void write_starts(Member const& m, tables const& in) const {
    int const step = m.league_size() * team_size, cells = in.grid().total();
    for (int c = m.league_rank() * team_size + m.team_rank(); c <= cells; c += step)
      to.starts[c] = static_cast<std::uint64_t>(in.starts[c]);
  }

  /// Particle i to its place: in each cell they are by (id, image), and a particle counts those before it.
  template <class Member>
  KOKKOS_FUNCTION void arrange(Member const& m, tables const& in, int i) const {
    int const part = m.team_rank() % comparing, lane = m.team_rank() % Lanes::size;
    bool const is_mine = i < particles();
    typename box<Real>::vector at = {};
    int cell = 0, place = 0;
    if (is_mine) {
      at = sim_box().wrap(summarize.bad.positions(i));
      cell = in.cell_of[i];
      int const end = in.starts[cell + 1];
      for (int other = in.starts[cell] + part; other < end; other += comparing)
        place += before(in.order[other], i) ? 1 : 0;
    }
    UPSWEEP_UNROLL
    for (int bit = 1; bit < comparing; bit *= 2)
      place = internal::join_lanes<Lanes>(plus<int>{}, place, place, bit, lane);
    if (!is_mine) return;
    place += in.starts[cell];
    switch (part) {
      case 0:
        to.x[place] = at[0];
        to.place_of[i] = place;
        break;
      case 1:
        to.y[place] = at[1];
        to.order[place] = i;
        break;
      case 2:
        to.z[place] = at[2];
        to.cell_of[i] = cell;
        break;
      default:
        if (to.images != nullptr) to.images[place] = summarize.bad.images[i];
    }
  }
};

}  // namespace upsweep::neighbors::detail
