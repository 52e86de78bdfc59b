// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/grid/particle_groups.hpp>

#include <concepts>
#include <cstdint>

namespace upsweep::neighbors::detail {

// What kernels know of boxes and grids: one for all particles, or one for each system of a batch. The cells of all
// systems are numbered one after the other, so that one pass bins all particles and one scan places them.

template <class ExecutionSpace, std::floating_point Real>
class system_table;

/// One box for all particles.
template <class Real>
struct one_system {
  using real = Real;

  grid_geometry<Real> grid = {};
  box<Real> sim_box;

  /// Names a system for the calls below.
  struct name {};
  /// Whether particles may be in classes by their radii, with a grid each (size_classes.hpp).
  static constexpr bool may_have_classes = true;

  KOKKOS_FUNCTION name system_of(std::int64_t) const { return {}; }
  KOKKOS_FUNCTION grid_geometry<Real> const& grid_of(name) const { return grid; }
  KOKKOS_FUNCTION box<Real> const& box_of(name) const { return sim_box; }
  KOKKOS_FUNCTION int first_cell(name) const { return 0; }

  /// The rows that cells are in.
  using cell_rows = equal_rows;
  cell_rows rows() const { return cell_rows{grid.cells[0]}; }
  /// What a list knows of boxes.
  template <class>
  using boxes_type = box<Real>;
  static one_system none() { return {{}, box<Real>({0, 0, 0}, {1, 1, 1})}; }
};

/// The same with a grid that the device has laid out.
template <class Real>
struct one_system_on_device {
  using real = Real;

  grid_geometry<Real> const* grid;
  box<Real> sim_box;

  struct name {};
  static constexpr bool may_have_classes = false;

  KOKKOS_FUNCTION name system_of(std::int64_t) const { return {}; }
  KOKKOS_FUNCTION grid_geometry<Real> const& grid_of(name) const { return *grid; }
  KOKKOS_FUNCTION box<Real> const& box_of(name) const { return sim_box; }
  KOKKOS_FUNCTION int first_cell(name) const { return 0; }
};

/// The last entry of n ascending ones, of which the first is at most `value`, that is not more than it. Any content
/// gives an index below n.
template <std::integral T>
KOKKOS_FUNCTION int last_not_above(T const* first, int n, std::int64_t value) {
  int low = 0, high = n;  // the entry is in [low, high)
  while (high - low > 1) {
    int const middle = low + (high - low) / 2;
    if (static_cast<std::int64_t>(first[middle]) <= value) low = middle;
    else high = middle;
  }
  return low;
}

/// A box for each system of a batch.
template <class Real>
struct many_systems {
  using real = Real;

  grid_geometry<Real> const* grids = nullptr;  ///< of each system
  box<Real> const* boxes = nullptr;
  std::int64_t const* first_cells = nullptr;  ///< and behind the last the number of all
  int const* of_particle = nullptr;           ///< the system of each particle
  int count = 0;

  using name = int;
  static constexpr bool may_have_classes = false;

  KOKKOS_FUNCTION name system_of(std::int64_t particle) const { return of_particle[particle]; }
  KOKKOS_FUNCTION grid_geometry<Real> const& grid_of(name system) const { return grids[system]; }
  KOKKOS_FUNCTION box<Real> const& box_of(name system) const { return boxes[system]; }
  KOKKOS_FUNCTION int first_cell(name system) const { return static_cast<int>(first_cells[system]); }

  struct cell_rows {
    grid_geometry<Real> const* grids;
    std::int64_t const* first_cells;
    int count;
    KOKKOS_FUNCTION cell_row operator()(int cell) const {
      int const system = last_not_above(first_cells, count, cell), cells = grids[system].cells[0];
      return {(cell - static_cast<int>(first_cells[system])) % cells, cells};
    }
  };
  cell_rows rows() const { return cell_rows{grids, first_cells, count}; }
  template <class ExecutionSpace>
  using boxes_type = system_table<ExecutionSpace, Real>;
  static many_systems none() { return {}; }
};

}  // namespace upsweep::neighbors::detail
