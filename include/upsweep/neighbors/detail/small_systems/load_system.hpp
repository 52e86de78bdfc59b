// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/neighbors/detail/grid/check_particles.hpp>
#include <upsweep/neighbors/detail/grid/system_kernels.hpp>
#include <upsweep/neighbors/detail/grid/unmeasured_systems.hpp>
#include <upsweep/neighbors/detail/small_systems/small_systems.hpp>
#include <upsweep/neighbors/detail/small_systems/system_scratch.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// The particles of a system into scratch, by a team: checked, wrapped, with their cells and the order of these.
/// Coordinates are from the middle of what surrounds the system.
template <class Real, class Lanes>
struct load_system {
  using vector = typename box<Real>::vector;
  using scratch = system_scratch<Real, Lanes>;
  using system = team_system<Real, Lanes>;

  unmeasured_systems<Real> const& batch;
  scratch const& s;

  /// False where the system cannot be built here: all threads agree. What is found says how many particles it has.
  template <class Member>
  KOKKOS_FUNCTION bool operator()(Member const& m, system& own, small_systems_found& found) const {
    std::int64_t const begin = batch.offsets[own.number], end = batch.offsets[own.number + 1];
    if (begin < 0 || begin > end || end > batch.particles || (own.number == 0 && begin != 0) ||
        (own.number + 1 == batch.count && end != batch.particles))
      return false;
    found.particles = static_cast<unsigned>(end - begin);
    if (end - begin > s.room.particles) return false;
    own.first = static_cast<int>(begin);
    own.count = static_cast<int>(end - begin);
    auto const& sim_box = batch.boxes[own.number];
    bool const has_grid = batch.grids_are_known && sim_box.periodic(0) && sim_box.periodic(1) && sim_box.periodic(2);
    if (!gather(m, own, sim_box, !has_grid)) return false;
    if (has_grid) own.grid = batch.grids + own.number;
    else if (!lay_out(m, own, sim_box)) return false;
    sort(m, own, sim_box);
    return true;
  }

 private:
  /// Wrapped positions, and what surrounds them. False where one is bad.
  template <class Member>
  KOKKOS_FUNCTION bool gather(Member const& m, system& own, box<Real> const& sim_box, bool needs_range) const {
    int const rank = m.team_rank(), size = m.team_size(), warp = rank / Lanes::size, lane = rank % Lanes::size;
    auto& c = *s.common;
    warp_bounds<Real, Lanes> bounds;
    auto all = particle_summary_monoid<Real>{}.identity();
    for (int i = rank; i < own.count; i += size) {
      auto const x = batch.positions(own.first + i), wrapped = sim_box.wrap(x);
      add_to_summary(all, cell_position(sim_box, wrapped, image(0, 0, 0)), sim_box.fault(x, wrapped) ? 1 : 0);
      Real const at[3] = {wrapped[0], wrapped[1], wrapped[2]};
      bounds.add(at);
      for (int d = 0; d < 3; ++d) s.at[d][i] = at[d];
      if (batch.of_particle != nullptr) batch.of_particle[own.first + i] = own.number;
    }
    bounds.meet();
    bool const is_bad = Lanes::ballot(all.bad != 0) != 0;
    if (needs_range) all = internal::fold_lanes<Lanes>(particle_summary_monoid<Real>{}, all, lane);
    if (lane == 0) {
      c.bounds[warp] = bounds;
      c.bad[warp] = is_bad;
      if (needs_range) c.summaries[warp] = all;
    }
    m.team_barrier();
    bool any = false;
    for (int w = 0; w < size / Lanes::size; ++w) {
      any = any || c.bad[w];
      bounds.add(c.bounds[w]);
    }
    own.around = group_box<Real, Lanes>::around(bounds);
    return !any;
  }

  /// The grid, by one thread. False where the cutoff reaches too far.
  template <class Member>
  KOKKOS_FUNCTION bool lay_out(Member const& m, system& own, box<Real> const& sim_box) const {
    auto& c = *s.common;
    if (m.team_rank() == 0) {
      particle_summary_monoid<Real> const monoid;
      auto all = c.summaries[0];
      for (int w = 1; w < m.team_size() / Lanes::size; ++w) all = monoid(all, c.summaries[w]);
      c.layout = lay_out_grid(frame_of_system(sim_box, all.range, batch.cutoff), batch.cutoff, own.count);
      batch.grids[own.number] = c.layout.grid;
    }
    m.team_barrier();
    own.grid = &c.layout.grid;
    return !c.layout.reaches_too_far();
  }

  /// Places of particles: by cell, in a cell by index. A thread counts the particles before its own.
  template <class Member>
  KOKKOS_FUNCTION void sort(Member const& m, system const& own, box<Real> const& sim_box) const {
    int const rank = m.team_rank(), size = m.team_size(), cells = own.grid->total();
    auto& t = *s.cells;
    for (int i = rank; i < own.count; i += size) {
      vector const wrapped = {s.at[0][i], s.at[1][i], s.at[2][i]};
      int cell = 0;
      if (cells > 1) {
        auto const u = cell_position(sim_box, wrapped, image(0, 0, 0));
        cell = own.grid->index(own.grid->coordinate(u[0], 0), own.grid->coordinate(u[1], 1),
                               own.grid->coordinate(u[2], 2));
      }
      (cells > 1 ? t.keys : t.sorted)[i] = static_cast<std::uint16_t>(cell << 8 | i);
      for (int d = 0; d < 3; ++d) s.at[d][i] = wrapped[d] - own.around.middle[d];
    }
    if (cells == 1) {
      if (rank == 0) t.starts[0] = 0, t.starts[1] = static_cast<std::uint16_t>(own.count);
      return m.team_barrier();
    }
    m.team_barrier();
    for (int i = rank; i < own.count; i += size) {
      std::uint16_t const key = t.keys[i];
      int place = 0;
      for (int k = 0; k < own.count; ++k) place += t.keys[k] < key ? 1 : 0;
      t.sorted[place] = key;
    }
    m.team_barrier();
    for (int cell = rank; cell <= cells; cell += size) {
      int low = 0, high = own.count;
      while (low < high) {
        int const middle = (low + high) / 2;
        if (t.sorted[middle] >> 8 < cell) low = middle + 1;
        else high = middle;
      }
      t.starts[cell] = static_cast<std::uint16_t>(low);
    }
    m.team_barrier();
  }
};

}  // namespace upsweep::neighbors::detail
