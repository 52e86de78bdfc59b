// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace upsweep::detail {

/// The smallest axis-aligned range that holds a set of points.
template <class Real>
struct bounds {
  Real lo[3], hi[3];
};

/// How space is cut into cells: equal cells along the box' edges, x running fastest. Coordinates are upright ones.
template <class Real>
struct grid_geometry {
  Real lo[3];
  Real inverse_width[3];
  int cells[3];
  int reach[3];       ///< particles within the cutoff are at most so many cells apart
  bool wraps[3];      ///< the first and the last cell of this direction are neighbours
  Real near_squared;  ///< what computes to more is farther than the cutoff for certain, whatever was rounded on the way

  KOKKOS_FUNCTION int coordinate(Real x, int d) const {
    int const c = static_cast<int>((x - lo[d]) * inverse_width[d]);
    return c < 0 ? 0 : c >= cells[d] ? cells[d] - 1 : c;
  }
  KOKKOS_FUNCTION int index(int x, int y, int z) const { return (z * cells[1] + y) * cells[0] + x; }
  KOKKOS_FUNCTION int total() const { return cells[0] * cells[1] * cells[2]; }
};

/// How much longer than the cutoff two particles within it can be apart in upright coordinate d: 1 in an orthogonal box.
template <class Real>
double stretch(box<Real> const& box, int d) {
  double const ly = box.length(1), lz = box.length(2), xy = box.tilt().xy, xz = box.tilt().xz, yz = box.tilt().yz;
  if (d == 0) return std::hypot(1.0, xy / ly, (xy * yz / ly - xz) / lz);
  if (d == 1) return std::hypot(1.0, yz / lz);
  return 1;
}

/// Cells for particles in `range`: a periodic direction is cut from border to border of the box, an open one over the
/// range itself. Cells are at least a cutoff wide, so that neighbours are in the same cell or in adjacent ones; a periodic
/// direction shorter than that is one cell, which reaches over several images.
///
/// Rounding: a coordinate is off by half a unit in its last place, a cell coordinate by a few in the extent's. Cells are
/// wider than the cutoff by a multiple of both, so that no pair at exactly the cutoff is two cells apart.
/// The number of cells is kept within a multiple of the number of particles, so that sparse sets cost no memory.
/// Throws: precondition_error when the cutoff reaches over more images than an `image` can number.
template <class Real>
grid_geometry<Real> make_grid_geometry(box<Real> const& box, bounds<Real> const& range, bool const (&periodic)[3],
                                       Real cutoff, std::int64_t particles) {
  constexpr double eps = std::numeric_limits<Real>::epsilon();
  double width[3], extent[3], count[3];
  grid_geometry<Real> grid;
  double const lean = 1 + std::abs(double(box.tilt().xy)) / box.length(1) +
                      (std::abs(double(box.tilt().xz)) + std::abs(double(box.tilt().yz))) / box.length(2);
  double slack = 0;
  for (int d = 0; d < 3; ++d) {
    grid.wraps[d] = periodic[d];
    grid.lo[d] = periodic[d] ? box.lo(d) : range.lo[d];
    double const hi = periodic[d] ? box.hi(d) : range.hi[d];
    extent[d] = std::max(0.0, hi - double(grid.lo[d]));
    double const largest = std::max(std::abs(double(grid.lo[d])), std::abs(hi));
    double const rounding = (16 * eps * extent[d] + 16 * eps * largest) * lean * lean;
    width[d] = double(cutoff) * stretch(box, d) * (1 + 16 * eps) + rounding;
    count[d] = std::max(1.0, std::floor(extent[d] / width[d]));
    slack += rounding + 16 * eps * double(cutoff) * lean;
  }
  double const most = std::clamp(2.0 * static_cast<double>(particles), 64.0, double(1 << 30));
  double cell[3] = {width[0], width[1], width[2]};
  while (count[0] * count[1] * count[2] > most) {
    for (int d = 0; d < 3; ++d) {
      cell[d] *= 1.25;
      count[d] = std::max(1.0, std::floor(extent[d] / cell[d]));
    }
  }
  for (int d = 0; d < 3; ++d) {
    grid.cells[d] = static_cast<int>(count[d]);
    // One cell needs no coordinate, and its extent may be so small that the inverse is infinite.
    grid.inverse_width[d] = count[d] > 1 ? static_cast<Real>(count[d] / extent[d]) : Real(0);
    // A cell of an open direction that is narrower than the cutoff has no neighbours in this direction.
    double const reach = periodic[d] && extent[d] / count[d] < width[d] ? std::ceil(width[d] * count[d] / extent[d]) : 1;
    require(reach < image::limit, "neighbor_list",
            std::string("the cutoff of ") + std::to_string(cutoff) + " reaches over " + std::to_string(reach) +
                " images of the box in direction " + "xyz"[d] + ", which is " + std::to_string(box.length(d)) +
                " long; at most " + std::to_string(image::limit - 1) + " are supported");
    grid.reach[d] = static_cast<int>(reach);
  }
  double const near = (double(cutoff) + slack) * (double(cutoff) + slack) * (1 + 32 * eps);
  constexpr double largest = std::numeric_limits<Real>::max();
  grid.near_squared = near < largest ? static_cast<Real>(near) : std::numeric_limits<Real>::infinity();
  return grid;
}

}  // namespace upsweep::detail
