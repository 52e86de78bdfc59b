// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/grid/candidate_runs.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/grid/particle_groups.hpp>
#include <upsweep/neighbors/detail/grid/radius_bins.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// Where particles of one class have neighbours in the grid of another: with their cell numbered c in a direction, from
/// floor(c * ratio - reach) to floor((c + 1) * ratio + reach). Each has one rounding, which `reach` covers, and nothing
/// left to contract: all passes find the same cells.
template <class Real>
struct class_reach {
  double ratio[3];
  double reach[3];
  Real near_squared;  ///< grid_geometry::near_squared for these two classes
};

/// Particles in classes by their radii, the largest first, each with a grid of its own: cells are as wide as the
/// particles of the class need, and a particle looks in each grid as far as it and the largest of that class may touch.
/// The cells of all classes are numbered through.
template <class Real>
struct size_classes {
  static constexpr int most = radius_bins::count / radius_bins::per_octave;

  int count;
  radius_bins bins;
  std::uint8_t class_of_bin[radius_bins::count];
  int first_cell[most + 1];  ///< of each class, and behind the last the number of cells
  grid_geometry<Real> grid[most];
  class_reach<Real> between[most][most];  ///< of the first class in the grid of the second

  KOKKOS_FUNCTION int cells() const { return first_cell[count]; }
  KOKKOS_FUNCTION int of_radius(double radius) const { return class_of_bin[bins(radius)]; }
  KOKKOS_FUNCTION int of_cell(int cell) const {
    int k = 0;
    while (cell >= first_cell[k + 1]) ++k;
    return k;
  }

  /// The row that a cell is in.
  KOKKOS_FUNCTION cell_row row_of_cell(int cell) const {
    int const k = of_cell(cell), cells = grid[k].cells[0];
    return {(cell - first_cell[k]) % cells, cells};
  }

  /// What a row of cells, from `cell` to `last`, has to be compared with in class `in`.
  KOKKOS_FUNCTION candidate_runs<Real> runs(int in, int cell, int last) const {
    int const own = of_cell(cell);
    cells_in_row const row(grid[own], cell - first_cell[own], last - first_cell[own]);
    class_reach<Real> const& way = between[own][in];
    grid_geometry<Real> const& other = grid[in];
    int lower[3], upper[3];
    for (int d = 0; d < 3; ++d) {
      int const end = (d == 0 ? row.last : row.at[d]) + 1;
      lower[d] = floor_of(Kokkos::fma(static_cast<double>(row.at[d]), way.ratio[d], -way.reach[d]));
      upper[d] = floor_of(Kokkos::fma(static_cast<double>(end), way.ratio[d], way.reach[d]));
      if (other.wraps[d]) {
        lower[d] = Kokkos::max(lower[d], -(image::limit - 1) * other.cells[d]);
        upper[d] = Kokkos::min(upper[d], image::limit * other.cells[d] - 1);
      } else {
        lower[d] = Kokkos::max(lower[d], 0);
        upper[d] = Kokkos::min(upper[d], other.cells[d] - 1);
      }
    }
    return {other, lower, upper};
  }

 private:
  KOKKOS_FUNCTION static int floor_of(double x) { return static_cast<int>(Kokkos::floor(x)); }
};

}  // namespace upsweep::neighbors::detail
