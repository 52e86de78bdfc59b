// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/grid/candidate_runs.hpp>
#include <upsweep/neighbors/detail/grid/systems.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// Particles in cell order, as kernels read them. A place is an index into that order.
///
/// Distances: d = (x_j - x_i) + shift, r2 = fma(dz, dz, fma(dy, dy, dx * dx)): nothing is left to contract, and a pair
/// gets the same r2 from both its ends, on every backend and from ghosts.
template <class Real, class Systems = one_system<Real>>
struct binned_particles : Systems {
  using systems = Systems;

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
  /// The runs of a row of cells, from `cell` to `last`, of one system.
  KOKKOS_FUNCTION candidate_runs<Real> runs_of(typename Systems::name system, int cell, int last) const {
    int const first = this->first_cell(system);
    return candidate_runs<Real>(this->grid_of(system), cell - first, last - first);
  }
  /// Where the candidates of a system's cells are, which its grid numbers from 0 on.
  KOKKOS_FUNCTION cell_starts candidates_of(typename Systems::name system) const {
    return {candidates.packed + this->first_cell(system)};
  }
  KOKKOS_FUNCTION bool has_two_sets() const { return candidates.packed != starts.packed; }
  KOKKOS_FORCEINLINE_FUNCTION static Real length_squared(Real dx, Real dy, Real dz) {
    return Kokkos::fma(dz, dz, Kokkos::fma(dy, dy, dx * dx));
  }
};

}  // namespace upsweep::neighbors::detail
