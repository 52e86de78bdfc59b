// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace upsweep::detail {

/// The smallest axis-aligned range that holds a set of points.
template <class Real>
struct bounds {
  Real lo[3], hi[3];
};

/// How space is cut into cells: equal cells, at least a cutoff wide, x running fastest.
template <class Real>
struct grid_geometry {
  Real lo[3];
  Real inverse_width[3];
  int cells[3];
  bool wraps[3];  ///< the first and the last cell of this direction are neighbours

  KOKKOS_FUNCTION int coordinate(Real x, int d) const {
    int const c = static_cast<int>((x - lo[d]) * inverse_width[d]);
    return c < 0 ? 0 : c >= cells[d] ? cells[d] - 1 : c;
  }
  KOKKOS_FUNCTION int index(int x, int y, int z) const { return (z * cells[1] + y) * cells[0] + x; }
  int total() const { return cells[0] * cells[1] * cells[2]; }
};

/// Cells for particles in `range`: a periodic direction is cut from border to border of the box, an open one over the
/// range itself. Particles within the cutoff of each other are in the same cell or in adjacent ones.
///
/// Rounding: a coordinate is off by half a unit in its last place, a cell coordinate by a few in the extent's. Cells are
/// wider than the cutoff by a multiple of both, so that no pair at exactly the cutoff is two cells apart.
/// The number of cells is kept within a multiple of the number of particles, so that sparse sets cost no memory.
template <class Real>
grid_geometry<Real> make_grid_geometry(box<Real> const& box, bounds<Real> const& range, bool const (&periodic)[3],
                                       Real cutoff, std::int64_t particles) {
  constexpr double eps = std::numeric_limits<Real>::epsilon();
  double width[3], extent[3], count[3];
  grid_geometry<Real> grid;
  for (int d = 0; d < 3; ++d) {
    grid.wraps[d] = periodic[d];
    grid.lo[d] = periodic[d] ? box.lo(d) : range.lo[d];
    double const hi = periodic[d] ? box.hi(d) : range.hi[d];
    extent[d] = std::max(0.0, hi - double(grid.lo[d]));
    double const largest = std::max(std::abs(double(grid.lo[d])), std::abs(hi));
    width[d] = double(cutoff) * (1 + 16 * eps) + 16 * eps * (extent[d] + largest);
    count[d] = std::max(1.0, std::floor(extent[d] / width[d]));
  }
  double const most = std::clamp(2.0 * static_cast<double>(particles), 64.0, double(1 << 30));
  while (count[0] * count[1] * count[2] > most) {
    for (int d = 0; d < 3; ++d) {
      width[d] *= 1.25;
      count[d] = std::max(1.0, std::floor(extent[d] / width[d]));
    }
  }
  for (int d = 0; d < 3; ++d) {
    grid.cells[d] = static_cast<int>(count[d]);
    grid.inverse_width[d] = extent[d] > 0 ? static_cast<Real>(count[d] / extent[d]) : Real(0);
  }
  return grid;
}

}  // namespace upsweep::detail
