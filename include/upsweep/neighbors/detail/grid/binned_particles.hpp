// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/grid/candidate_runs.hpp>
#include <upsweep/neighbors/detail/grid/size_classes.hpp>
#include <upsweep/neighbors/detail/grid/systems.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// What some cells have to be compared with in one grid.
template <class Real>
struct grid_candidates {
  grid_geometry<Real> const& grid;
  cell_starts starts;
  candidate_runs<Real> runs;
  Real near_squared;  ///< grid_geometry::near_squared of these cells

  KOKKOS_FUNCTION int count() const { return runs.count(); }
  /// Run r; empty outside of an open direction.
  KOKKOS_FUNCTION candidate_run operator()(int r) const { return runs(grid, starts, r); }
  /// visit(run) for all of them, in their order.
  template <class Visitor>
  void for_each(Visitor const& visit) const {
    runs.for_each(grid, starts, visit);
  }
};

/// A row of cells of one system, from `first` to `last`.
template <class Systems>
struct group_cells {
  typename Systems::name system;
  int first, last;
};

/// Particles in cell order, as kernels read them. A place is an index into that order.
///
/// Distances: d = (x_j - x_i) + shift, r2 = fma(dz, dz, fma(dy, dy, dx * dx)): nothing is left to contract, and a pair
/// gets the same r2 from both its ends, on every backend and from ghosts.
template <class Real, class Systems = one_system<Real>>
struct binned_particles : Systems {
  using systems = Systems;
  using cells_type = group_cells<Systems>;

  Real cutoff_squared = 0;
  Real const *x = nullptr, *y = nullptr, *z = nullptr;  ///< wrapped
  int const* order = nullptr;                           ///< particle at each place
  int const* place_of = nullptr;                        ///< place of each particle
  int const* cell_of = nullptr;                         ///< of each particle
  cell_starts starts = {nullptr};                       ///< of the particles with rows
  cell_starts candidates = {
      nullptr};                   ///< where neighbours are looked for: other cells than `starts` has only with two sets
  image const* images = nullptr;  ///< of the particle at each place; null where the list makes images itself
  int rows = 0;                   ///< particles 0 .. rows-1 have rows
  int first_candidate = 0;        ///< of two sets the first point; neighbours are numbered from here on
  int places = 0;                 ///< the number of places: that of particles

  KOKKOS_FUNCTION image image_of(candidate_run const& run, int place) const {
    return images == nullptr ? run.shift : images[place];
  }
  /// The grids in which neighbours of a system's particles are looked for, one after the other.
  KOKKOS_FUNCTION int grids_of(typename Systems::name system) const {
    auto const* const own = this->classes_of(system);
    return own == nullptr ? 1 : own->count;
  }
  /// Whether there are classes, in some system.
  KOKKOS_FUNCTION bool has_classes() const { return this->classes != nullptr; }
  /// The candidates of some cells in grid g.
  KOKKOS_FUNCTION grid_candidates<Real> candidates_in(int g, cells_type const& cells) const {
    auto const* const own = this->classes_of(cells.system);
    return own == nullptr ? candidates_in_one_grid(cells) : candidates_in_class(*own, g, cells);
  }
  /// The candidates of cells of one system, whose grid numbers them from 0 on.
  KOKKOS_FUNCTION grid_candidates<Real> candidates_in_one_grid(cells_type const& cells) const {
    auto const& grid = this->grid_of(cells.system);
    int const first = this->first_cell(cells.system);
    return {grid, {candidates.packed + first}, {grid, cells.first - first, cells.last - first}, grid.near_squared};
  }
  KOKKOS_FUNCTION grid_candidates<Real> candidates_in_class(size_classes<Real> const& own, int g,
                                                            cells_type const& cells) const {
    int const first = this->first_cell(cells.system);
    return {own.grid[g],
            {candidates.packed + first + own.first_cell[g]},
            own.runs(g, cells.first - first, cells.last - first),
            own.between[own.of_cell(cells.first - first)][g].near_squared};
  }
  KOKKOS_FUNCTION bool has_two_sets() const { return candidates.packed != starts.packed; }
  KOKKOS_FORCEINLINE_FUNCTION static Real length_squared(Real dx, Real dy, Real dz) {
    return Kokkos::fma(dz, dz, Kokkos::fma(dy, dy, dx * dx));
  }
};

}  // namespace upsweep::neighbors::detail
