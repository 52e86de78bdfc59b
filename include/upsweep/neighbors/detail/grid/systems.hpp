// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/grid/particle_groups.hpp>
#include <upsweep/neighbors/detail/grid/size_classes.hpp>

#include <concepts>
#include <cstdint>
#include <string>

namespace upsweep::neighbors::detail {

// What kernels know of boxes and grids: one for all particles, or one for each system of a batch. The cells of all
// systems are numbered one after the other, so that one pass bins all particles and one scan places them. A system
// with size classes is binned into their grids, and its own grid is not used.

template <class ExecutionSpace, std::floating_point Real>
class system_table;

/// One box for all particles.
template <class Real>
struct one_system {
  using real = Real;

  grid_geometry<Real> grid = {};
  box<Real> sim_box;
  size_classes<Real> const* classes = nullptr;  ///< null where all particles are in one grid

  /// Names a system for the calls below.
  struct name {};
  /// The call that errors name.
  static constexpr char const* function = "neighbor_list";
  /// What an error of a particle begins with. In a batch waits for the instance.
  template <class ExecutionSpace>
  std::string error_of(ExecutionSpace const&, std::int64_t) const {
    return std::string(function) + ": ";
  }
  /// What the caller numbers a particle by.
  template <class ExecutionSpace>
  std::int64_t number_of(ExecutionSpace const&, std::int64_t particle) const {
    return particle;
  }
  /// The caller's numbers of all particles; null if they are the list's own.
  int const* given_numbers() const { return nullptr; }
  /// How many particles there are by the caller's numbers.
  std::int64_t given_particles(std::int64_t particles) const { return particles; }

  KOKKOS_FUNCTION name system_of(std::int64_t) const { return {}; }
  KOKKOS_FUNCTION grid_geometry<Real> const& grid_of(name) const { return grid; }
  KOKKOS_FUNCTION box<Real> const& box_of(name) const { return sim_box; }
  KOKKOS_FUNCTION size_classes<Real> const* classes_of(name) const { return classes; }
  KOKKOS_FUNCTION int first_cell(name) const { return 0; }

  /// The rows that cells are in.
  struct cell_rows {
    int cells;
    size_classes<Real> const* classes;
    KOKKOS_FUNCTION cell_row operator()(int cell) const {
      return classes == nullptr ? cell_row{cell % cells, cells} : classes->row_of_cell(cell);
    }
  };
  cell_rows rows() const { return {grid.cells[0], classes}; }
  /// What a list knows of boxes.
  template <class>
  using boxes_type = box<Real>;
  static one_system none() { return {{}, box<Real>({0, 0, 0}, {1, 1, 1}), nullptr}; }
};

/// The same with a grid that the device has laid out.
template <class Real>
struct one_system_on_device {
  using real = Real;

  grid_geometry<Real> const* grid;
  box<Real> sim_box;

  struct name {};
  static constexpr size_classes<Real> const* classes = nullptr;
  static constexpr char const* function = one_system<Real>::function;
  template <class ExecutionSpace>
  std::int64_t number_of(ExecutionSpace const&, std::int64_t particle) const {
    return particle;
  }
  int const* given_numbers() const { return nullptr; }
  std::int64_t given_particles(std::int64_t particles) const { return particles; }
  template <class ExecutionSpace>
  std::string error_of(ExecutionSpace const&, std::int64_t) const {
    return std::string(function) + ": ";
  }

  KOKKOS_FUNCTION name system_of(std::int64_t) const { return {}; }
  KOKKOS_FUNCTION grid_geometry<Real> const& grid_of(name) const { return *grid; }
  KOKKOS_FUNCTION box<Real> const& box_of(name) const { return sim_box; }
  KOKKOS_FUNCTION size_classes<Real> const* classes_of(name) const { return nullptr; }
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

/// Numbers in the caller's batch of the systems and particles of a part of it. Errors name particles by them, and
/// options that are given for the whole batch are found by them. Null: this batch is the caller's.
struct part_numbers {
  int const* system_numbers = nullptr;
  int const* particle_numbers = nullptr;
  std::int64_t of_particles = 0;  ///< of the other batch

  bool given() const { return system_numbers != nullptr; }
  template <class ExecutionSpace>
  std::int64_t number_of(ExecutionSpace const& space, std::int64_t particle) const {
    return given() ? internal::fetch_one(space, particle_numbers + particle, function) : particle;
  }
  /// "system 3: "
  template <class ExecutionSpace>
  std::string name_of(ExecutionSpace const& space, std::int64_t system) const {
    std::int64_t const number = given() ? internal::fetch_one(space, system_numbers + system, function) : system;
    return "system " + std::to_string(number) + ": ";
  }

 private:
  static constexpr char const* function = "batched_neighbor_list";
};

/// A box for each system of a batch.
template <class Real>
struct many_systems {
  using real = Real;

  grid_geometry<Real> const* grids = nullptr;  ///< of each system
  box<Real> const* boxes = nullptr;
  std::int64_t const* first_cells = nullptr;  ///< and behind the last the number of all
  int const* of_particle = nullptr;           ///< the system of each particle
  std::int64_t const* offsets = nullptr;      ///< the first particle of each system, and behind the last their number
  int count = 0;
  size_classes<Real> const* classes = nullptr;  ///< tables of systems that have classes; null where none has
  int const* table_of = nullptr;                ///< of each system, its table; -1: none
  part_numbers part = {};

  using name = int;
  static constexpr char const* function = "batched_neighbor_list";
  template <class ExecutionSpace>
  std::string error_of(ExecutionSpace const& space, std::int64_t particle) const {
    return std::string(function) + ": " +
           part.name_of(space, internal::fetch_one(space, of_particle + particle, function));
  }
  template <class ExecutionSpace>
  std::int64_t number_of(ExecutionSpace const& space, std::int64_t particle) const {
    return part.number_of(space, particle);
  }
  int const* given_numbers() const { return part.particle_numbers; }
  std::int64_t given_particles(std::int64_t particles) const { return part.given() ? part.of_particles : particles; }

  KOKKOS_FUNCTION name system_of(std::int64_t particle) const { return of_particle[particle]; }
  KOKKOS_FUNCTION grid_geometry<Real> const& grid_of(name system) const { return grids[system]; }
  KOKKOS_FUNCTION box<Real> const& box_of(name system) const { return boxes[system]; }
  KOKKOS_FUNCTION size_classes<Real> const* classes_of(name system) const {
    return classes == nullptr || table_of[system] < 0 ? nullptr : classes + table_of[system];
  }
  KOKKOS_FUNCTION int first_cell(name system) const { return static_cast<int>(first_cells[system]); }
  /// The number of a system's cells.
  KOKKOS_FUNCTION int cells_of(name system) const {
    auto const* const own = classes_of(system);
    return own == nullptr ? grids[system].total() : own->cells();
  }

  struct cell_rows;
  cell_rows rows() const { return {*this}; }
  template <class ExecutionSpace>
  using boxes_type = system_table<ExecutionSpace, Real>;
  static many_systems none() { return {}; }
};

template <class Real>
struct many_systems<Real>::cell_rows {
  many_systems systems;
  KOKKOS_FUNCTION cell_row operator()(int cell) const {
    int const system = last_not_above(systems.first_cells, systems.count, cell), in = cell - systems.first_cell(system);
    auto const* const own = systems.classes_of(system);
    int const cells = systems.grids[system].cells[0];
    return own == nullptr ? cell_row{in % cells, cells} : own->row_of_cell(in);
  }
};

}  // namespace upsweep::neighbors::detail
