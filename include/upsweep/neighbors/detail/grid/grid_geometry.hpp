// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/uncontracted.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstdint>
#include <string>

namespace upsweep::neighbors::detail {

/// The smallest axis-aligned range that holds a set of points.
template <class Real>
struct bounds {
  Real lo[3], hi[3];
};

/// How space is cut into cells: equal cells along the box' edges, x running fastest. Coordinates are upright ones, of
/// which rounding may leave some a little outside: those are in the first or the last cell.
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
/// box, and where the coordinate is one along a unit vector, as in a box of any edges.
template <class Real>
KOKKOS_FUNCTION double stretch(box<Real> const& box, int d) {
  if (!box.is_triclinic() || box.is_of_edges() || d == 2) return 1;
  uncontracted const ly = box.length(1), lz = box.length(2), xy = box.tilt().xy, xz = box.tilt().xz, yz = box.tilt().yz;
  if (d == 0) return length_of(1, xy / ly, (xy / ly * yz - xz) / lz).value();
  return length_of(1, yz / lz, 0).value();
}

/// What roundings can add to distances.
struct rounding_bounds {
  uncontracted cell[3];  ///< to the distance of two neighbours in upright coordinates, as cells number them
  uncontracted near;  ///< to the distance of a particle from a group's bounding box, computed from absolute coordinates
};

/// The bounds for orthogonal and triclinic boxes. Let e be epsilon, twice the relative error of a rounding; r the
/// cutoff; in each direction L the length, M the largest size of a border, P the span of particles along the edge, T
/// the sum of the sizes of tilts times P / L of the edge that leans, and W = 1.1 (P + T), which is more than two
/// particles are apart.
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
KOKKOS_FUNCTION rounding_bounds bound_roundings(box<Real> const& box, uncontracted const (&extent)[3],
                                                uncontracted cutoff, bool ghosts) {
  constexpr double e = internal::epsilon_of<Real>;
  uncontracted length[3], span[3], largest[3];
  for (int d = 0; d < 3; ++d) {
    length[d] = box.length(d);
    span[d] = larger(extent[d], length[d]);
    largest[d] = larger(abs(uncontracted(box.lo(d))), abs(uncontracted(box.hi(d))));
  }
  // Slopes of the edges: how far x or y moves along an edge, over the edge's length in y or z.
  uncontracted const xy = abs(uncontracted(box.tilt().xy)) / length[1],
                     xz = abs(uncontracted(box.tilt().xz)) / length[2],
                     yz = abs(uncontracted(box.tilt().yz)) / length[2];
  uncontracted const tilts[3] = {xy * span[1] + xz * span[2], yz * span[2], 0};
  // Each times e at once: e times the largest number is far from an overflow.
  uncontracted way[3];
  for (int d = 0; d < 3; ++d) way[d] = 1.1 * (e * span[d] + e * tilts[d] + e * cutoff);
  uncontracted const shift_y = yz * way[2], shift_x = xz * way[2] + xy * (way[1] + shift_y);
  uncontracted const shift[3] = {shift_x, shift_y, 0};
  uncontracted const upright_y = yz == 0 ? 0 : e * largest[1] + 2 * e * tilts[1];
  uncontracted const upright_x = xy == 0 && xz == 0 ? 0 : xy * upright_y + 2 * e * largest[0] + 2 * e * tilts[0];
  uncontracted const upright[3] = {upright_x, upright_y, 0};
  uncontracted const g[3] = {3 * (way[0] + shift[0]), 3 * (way[1] + shift[1]), 3 * way[2]};
  uncontracted const along[3] = {g[0] + xy * g[1] + (xy * yz + xz) * (g[2] + 8 * e * cutoff), g[1] + yz * g[2], g[2]};
  rounding_bounds result{};
  for (int d = 0; d < 3; ++d) {
    result.cell[d] = along[d] + 2 * upright[d] + 8 * e * span[d] + (ghosts ? 2 * e * largest[d] + 2 * e * span[d] : 0);
    // A shift is added to the middle of the group, the sum to a coordinate, and half of the group's size is taken off.
    result.near += g[d] + 8 * (e * largest[d] + way[d] + shift[d]);
  }
  return result;
}

/// The bounds for a box of any edges. Let e, r be as above, u the normals of the box, h its heights, s its size and
/// |u||w| as edge_frame.hpp has them; E_c the sum over periodic edges of the sizes of their components c. The range of
/// coordinates in an open direction is R from 0 at most. A component of a wrapped particle, from the origin on, is a
/// sum of parts of edges, and of unit vectors in open directions: at most A_c = 1.1 (E_c + sum of R |u_c|).
///
/// Distances: in d' = (x_j - x_i) + shift a neighbour has |d'| <= r (1 + 4 e). The shift has n <= 1.2 (1 + r / h)
/// images of an edge: both particles are in the box, except for tolerances of up to h / 16 each. So no sum of some of
/// the shift's terms is more than B_c, the sum of n |edge_c|, and the difference is at most B_c + 1.1 r, however far
/// apart particles are along open directions. Five roundings: d' is off by at most g_c = 3 e (B_c + r).
///
/// Upright coordinates u . w are off by at most 2 e |u||w|, and |u||w| <= A = the sum of |u_c| A_c. Shifting by n edges
/// changes them by n h of the edge's own direction and no other, except for 8 e times the sizes of the edges,
/// 8 e (B_x + B_y + B_z) in all. Adding a ghost's images rounds relative to h + P, with P the span of particles.
///
/// Cells: the true displacement of the pair along u is at most |u| r, of which 16 e r is left to the caller, plus |u_c|
/// g_c; computed coordinates add 2 e A and 8 e B as said, and numbering four roundings relative to the extent for each
/// particle. Where a particle is below 0 by the tolerance, 64 e (s + A), its cell is the first one, as if it were at 0;
/// so may be both.
template <class Real>
KOKKOS_FUNCTION rounding_bounds bound_roundings_of_edges(box<Real> const& box, bounds<Real> const& range,
                                                         uncontracted const (&extent)[3], uncontracted cutoff,
                                                         bool ghosts) {
  constexpr double e = internal::epsilon_of<Real>;
  auto const& frame = box.frame();
  // Each times e at once: e times the largest number is far from an overflow.
  uncontracted const r = e * cutoff;
  uncontracted size[3], images[3], images_size = 0;
  for (int c = 0; c < 3; ++c) {
    size[c] = images[c] = 0;
    for (int k = 0; k < 3; ++k) {
      uncontracted const edge = e * abs(uncontracted(box.edge(k)[c])), u = abs(uncontracted(frame.normals[k][c]));
      uncontracted const most = larger(abs(uncontracted(range.lo[k])), abs(uncontracted(range.hi[k])));
      size[c] += 1.1 * (box.periodic(k) ? edge : u * (e * most));
      if (box.periodic(k)) images[c] += 1.2 * (1 + cutoff / uncontracted(box.length(k))) * edge;
    }
    images_size += images[c];
  }
  rounding_bounds result{};
  for (int d = 0; d < 3; ++d) {
    uncontracted distance = 0, coordinate = 0;
    for (int c = 0; c < 3; ++c) {
      uncontracted const u = abs(uncontracted(frame.normals[d][c]));
      distance += u * 3 * (images[c] + r);
      coordinate += u * size[c];
    }
    uncontracted const tolerance =
        box.periodic(d) ? frame.tolerated_roundings * (e * uncontracted(frame.size) + coordinate) : 0;
    result.cell[d] = distance + 4 * coordinate + 8 * images_size + 2 * tolerance + 8 * e * extent[d] +
                     (ghosts ? 2 * e * uncontracted(box.length(d)) + 2 * e * extent[d] : 0);
    // A shift is added to the middle of the group, the sum to a coordinate, and half of the group's size is taken off.
    result.near += 3 * (images[d] + r) + 8 * (e * abs(uncontracted(frame.origin[d])) + size[d] + images[d] + r);
  }
  return result;
}

/// What grids of the same particles are cut from. The same bits on CPUs and GPUs, as all that is made of it.
template <class Real>
struct grid_frame {
  grid_geometry<Real> uncut;  ///< lo and wraps are set
  uncontracted extent[3];
  uncontracted stretch[3];
  rounding_bounds roundings;

  /// How far apart in upright coordinate d two particles within `distance` can be, all roundings included: so that no
  /// pair at exactly the cutoff is two cells apart.
  KOKKOS_FUNCTION uncontracted width(uncontracted distance, int d) const {
    constexpr double eps = internal::epsilon_of<Real>;
    return distance * stretch[d] * (1 + 16 * eps) + roundings.cell[d];
  }
  /// grid_geometry::near_squared of a distance.
  KOKKOS_FUNCTION Real near_squared(uncontracted distance) const {
    constexpr double eps = internal::epsilon_of<Real>, largest = internal::finite_max<Real>;
    constexpr Real infinite = internal::infinity_of<Real>;
    uncontracted const filter = distance + roundings.near, near = filter * filter * (1 + 32 * eps);
    return near < largest ? static_cast<Real>(near.value()) : infinite;
  }
};

/// A periodic direction is cut from border to border of the box, an open one over the range of the particles itself.
template <class Real>
KOKKOS_FUNCTION grid_frame<Real> make_grid_frame(box<Real> const& box, bounds<Real> const& range,
                                                 bool const (&periodic)[3], Real cutoff) {
  grid_frame<Real> frame{};
  bool ghosts = false;  // only then a periodic direction of the box is cut like an open one
  for (int d = 0; d < 3; ++d) {
    frame.uncut.wraps[d] = periodic[d];
    frame.uncut.lo[d] = periodic[d] ? box.lo(d) : range.lo[d];
    uncontracted const hi = periodic[d] ? box.hi(d) : range.hi[d];
    frame.extent[d] = larger(0.0, hi - double(frame.uncut.lo[d]));
    frame.stretch[d] = stretch(box, d);
    ghosts = ghosts || (box.periodic(d) && !periodic[d]);
  }
  uncontracted const r = double(cutoff);
  frame.roundings = box.is_of_edges() ? bound_roundings_of_edges(box, range, frame.extent, r, ghosts)
                                      : bound_roundings(box, frame.extent, r, ghosts);
  return frame;
}

/// Cells at least so wide, except where a direction is shorter than that; at most `most` of them.
template <class Real>
KOKKOS_FUNCTION grid_geometry<Real> cut_cells(grid_frame<Real> const& frame, uncontracted const (&width)[3],
                                              uncontracted most) {
  uncontracted cell[3] = {width[0], width[1], width[2]}, count[3];
  for (int d = 0; d < 3; ++d) count[d] = larger(1.0, floor(frame.extent[d] / width[d]));
  while (count[0] * count[1] * count[2] > most) {
    for (int d = 0; d < 3; ++d) {
      cell[d] *= 1.25;
      count[d] = larger(1.0, floor(frame.extent[d] / cell[d]));
    }
  }
  grid_geometry<Real> grid = frame.uncut;
  for (int d = 0; d < 3; ++d) {
    grid.cells[d] = static_cast<int>(count[d].value());
    // One cell needs no coordinate, and its extent may be so small that the inverse is infinite.
    grid.inverse_width[d] = count[d] > 1 ? static_cast<Real>((count[d] / frame.extent[d]).value()) : Real(0);
  }
  return grid;
}

/// A grid, and how far the search goes in each direction: images beyond what an `image` can number are refused.
template <class Real>
struct grid_layout {
  grid_geometry<Real> grid;
  double reach[3];

  KOKKOS_FUNCTION bool reaches_too_far(int d) const { return !(reach[d] < image::limit); }
  KOKKOS_FUNCTION bool reaches_too_far() const {
    return reaches_too_far(0) || reaches_too_far(1) || reaches_too_far(2);
  }
};

/// Grids of so many particles have no more cells.
KOKKOS_FUNCTION constexpr double most_cells(std::int64_t particles) {
  return Kokkos::clamp(2.0 * static_cast<double>(particles), 64.0, double(1 << 30));
}

/// Cells at least a cutoff wide, so that neighbours are in the same cell or in adjacent ones; a periodic direction
/// shorter than that is one cell, which reaches over several images. The number of cells is kept within a multiple of
/// the number of particles, so that sparse sets cost no memory.
template <class Real>
KOKKOS_FUNCTION grid_layout<Real> lay_out_grid(grid_frame<Real> const& frame, Real cutoff, std::int64_t particles) {
  uncontracted width[3];
  for (int d = 0; d < 3; ++d) width[d] = frame.width(double(cutoff), d);
  grid_layout<Real> result{cut_cells(frame, width, most_cells(particles)), {}};
  auto& grid = result.grid;
  for (int d = 0; d < 3; ++d) {
    uncontracted const count = double(grid.cells[d]);
    // A cell of an open direction that is narrower than the cutoff has no neighbours in this direction.
    bool const beyond = grid.wraps[d] && frame.extent[d] / count < width[d];
    result.reach[d] = beyond ? ceil(width[d] * count / frame.extent[d]).value() : 1;
    grid.reach[d] = result.reaches_too_far(d) ? 1 : static_cast<int>(result.reach[d]);
  }
  grid.near_squared = frame.near_squared(double(cutoff));
  return result;
}

/// Throws precondition_error where the cutoff reaches over more images than an `image` can number; `of_system` says in
/// the message where.
template <class Real>
void require_reach(grid_layout<Real> const& layout, box<Real> const& box, Real cutoff, char const* function,
                   std::string const& of_system = "") {
  for (int d = 0; d < 3; ++d)
    if (layout.reaches_too_far(d))
      throw precondition_error(std::string(function) + ": " + of_system + "the cutoff of " + internal::text_of(cutoff) +
                               " reaches over " + internal::text_of(layout.reach[d]) +
                               " images of the box in direction " + box.direction_name(d) + ", which is " +
                               internal::text_of(box.length(d)) +
                               (box.is_of_edges() ? " high; at most " : " long; at most ") +
                               std::to_string(image::limit - 1) + " are supported");
}

/// The grid for one box.
/// Throws: precondition_error when the cutoff reaches over more images than an `image` can number.
template <class Real>
grid_geometry<Real> make_grid_geometry(box<Real> const& box, grid_frame<Real> const& frame, Real cutoff,
                                       std::int64_t particles) {
  auto const layout = lay_out_grid(frame, cutoff, particles);
  require_reach(layout, box, cutoff, "neighbor_list");
  return layout.grid;
}

}  // namespace upsweep::neighbors::detail
