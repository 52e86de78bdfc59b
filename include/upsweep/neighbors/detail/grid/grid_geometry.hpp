// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/require.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace upsweep::neighbors::detail {

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

/// How much longer than the cutoff two particles within it can be apart in upright coordinate d: 1 in an orthogonal
/// box.
template <class Real>
double stretch(box<Real> const& box, int d) {
  double const ly = box.length(1), lz = box.length(2), xy = box.tilt().xy, xz = box.tilt().xz, yz = box.tilt().yz;
  if (d == 0) return std::hypot(1.0, xy / ly, (xy / ly * yz - xz) / lz);
  if (d == 1) return std::hypot(1.0, yz / lz);
  return 1;
}

/// What roundings can add to distances.
struct rounding_bounds {
  double cell[3];  ///< to the distance of two neighbours in upright coordinates, as cells number them
  double near;     ///< to the distance of a particle from a group's bounding box, computed from absolute coordinates
};

/// The bounds. Let e be epsilon, twice the relative error of a rounding; r the cutoff; in each direction L the length,
/// M the largest size of a border, P the span of particles along the edge, T the sum of the sizes of tilts times P / L
/// of the edge that leans, and W = 1.1 (P + T), which is more than two particles are apart.
///
/// Distances: in d' = (x_j - x_i) + shift the difference is of two coordinates, so that it rounds relative to W and not
/// to M. A neighbour has |d'| <= r (1 + 4 e), so |shift| <= W + 1.1 r. Of the shift's terms, images times length and
/// images times tilt, none is more than W + 1.1 r + S, where S sums (most images of an edge) * |tilt| over the edges
/// that lean, and an edge has at most (W + 1.1 r + S) / L images. Six roundings: d' is off by at most
/// g = 3 e (W + 1.1 r + S).
///
/// Upright coordinates: z is exact. fz is a rounded difference over a length, so it is off by e |fz|; then y by at most
/// E_y = e (M_y + 2 T_y), fy by E_y / L_y + e |fy|, and x by E_x = |xy| / L_y E_y + 2 e (M_x + T_x). Where no tilt
/// acts, a coordinate is exact. Adding a ghost's images rounds relative to M + P.
///
/// Cells: the true displacement of the pair in upright coordinates is at most stretch * |d'|, plus g of its direction,
/// plus g of the later directions times the slope of their edges; computed coordinates add E of both particles, and
/// (t - lo) * inverse four roundings relative to the extent for each. (T bounds E well within the factor of W; all
/// factors leave room for higher powers of e.)
template <class Real>
rounding_bounds bound_roundings(box<Real> const& box, double const (&extent)[3], double cutoff, bool ghosts) {
  constexpr double e = std::numeric_limits<Real>::epsilon();
  double length[3], span[3], largest[3];
  for (int d = 0; d < 3; ++d) {
    length[d] = box.length(d);
    span[d] = std::max(extent[d], length[d]);
    largest[d] = std::max(std::abs(double(box.lo(d))), std::abs(double(box.hi(d))));
  }
  // Slopes of the edges: how far x or y moves along an edge, over the edge's length in y or z.
  double const xy = std::abs(double(box.tilt().xy)) / length[1], xz = std::abs(double(box.tilt().xz)) / length[2],
               yz = std::abs(double(box.tilt().yz)) / length[2];
  double const tilts[3] = {xy * span[1] + xz * span[2], yz * span[2], 0};
  // Each times e at once: e times the largest number is far from an overflow.
  double way[3];
  for (int d = 0; d < 3; ++d) way[d] = 1.1 * (e * span[d] + e * tilts[d] + e * cutoff);
  double const shift_y = yz * way[2], shift_x = xz * way[2] + xy * (way[1] + shift_y);
  double const shift[3] = {shift_x, shift_y, 0};
  double const upright_y = yz == 0 ? 0 : e * largest[1] + 2 * e * tilts[1];
  double const upright_x = xy == 0 && xz == 0 ? 0 : xy * upright_y + 2 * e * largest[0] + 2 * e * tilts[0];
  double const upright[3] = {upright_x, upright_y, 0};
  double const g[3] = {3 * (way[0] + shift[0]), 3 * (way[1] + shift[1]), 3 * way[2]};
  double const along[3] = {g[0] + xy * g[1] + (xy * yz + xz) * (g[2] + 8 * e * cutoff), g[1] + yz * g[2], g[2]};
  rounding_bounds result{};
  for (int d = 0; d < 3; ++d) {
    result.cell[d] = along[d] + 2 * upright[d] + 8 * e * span[d] + (ghosts ? 2 * e * largest[d] + 2 * e * span[d] : 0);
    // A shift is added to the middle of the group, the sum to a coordinate, and half of the group's size is taken off.
    result.near += g[d] + 8 * (e * largest[d] + way[d] + shift[d]);
  }
  return result;
}

/// Cells for particles in `range`: a periodic direction is cut from border to border of the box, an open one over the
/// range itself. Cells are at least a cutoff wide, so that neighbours are in the same cell or in adjacent ones; a
/// periodic direction shorter than that is one cell, which reaches over several images.
///
/// Cells are wider than the cutoff by what roundings can add, so that no pair at exactly the cutoff is two cells
/// apart. The number of cells is kept within a multiple of the number of particles, so that sparse sets cost no
/// memory.
/// Throws: precondition_error when the cutoff reaches over more images than an `image` can number.
template <class Real>
grid_geometry<Real> make_grid_geometry(box<Real> const& box, bounds<Real> const& range, bool const (&periodic)[3],
                                       Real cutoff, std::int64_t particles) {
  constexpr double eps = std::numeric_limits<Real>::epsilon();
  double width[3], extent[3], count[3];
  grid_geometry<Real> grid;
  bool ghosts = false;  // only then a periodic direction of the box is cut like an open one
  for (int d = 0; d < 3; ++d) {
    grid.wraps[d] = periodic[d];
    grid.lo[d] = periodic[d] ? box.lo(d) : range.lo[d];
    double const hi = periodic[d] ? box.hi(d) : range.hi[d];
    extent[d] = std::max(0.0, hi - double(grid.lo[d]));
    ghosts = ghosts || (box.periodic(d) && !periodic[d]);
  }
  auto const roundings = bound_roundings(box, extent, double(cutoff), ghosts);
  for (int d = 0; d < 3; ++d) {
    width[d] = double(cutoff) * stretch(box, d) * (1 + 16 * eps) + roundings.cell[d];
    count[d] = std::max(1.0, std::floor(extent[d] / width[d]));
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
    bool const beyond = periodic[d] && extent[d] / count[d] < width[d];
    double const reach = beyond ? std::ceil(width[d] * count[d] / extent[d]) : 1;
    internal::require(reach < image::limit, "neighbor_list",
                      std::string("the cutoff of ") + std::to_string(cutoff) + " reaches over " +
                          std::to_string(reach) + " images of the box in direction " + "xyz"[d] + ", which is " +
                          std::to_string(box.length(d)) + " long; at most " + std::to_string(image::limit - 1) +
                          " are supported");
    grid.reach[d] = static_cast<int>(reach);
  }
  double const distance_filter = double(cutoff) + roundings.near,
               near = distance_filter * distance_filter * (1 + 32 * eps);
  constexpr double largest = std::numeric_limits<Real>::max();
  grid.near_squared = near < largest ? static_cast<Real>(near) : std::numeric_limits<Real>::infinity();
  return grid;
}

}  // namespace upsweep::neighbors::detail
