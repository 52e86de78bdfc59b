// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>

namespace upsweep::internal {

/// How much longer than a distance two particles within it can be apart in upright coordinate d, roundings aside: the
/// length of the box in this coordinate over its height between two faces.
template <class Real>
double upright_stretch(box<Real> const& box, int d) {
  return neighbors::detail::stretch(box, d);
}

/// How far apart in each upright coordinate two particles within `distance` of each other can be, as lists compute
/// distances, all roundings included, those of wrapped positions and of sums with box lengths, too. lo, hi: the range
/// of upright coordinates of all particles. The bounds are those that cells of a neighbour list are cut by.
template <class Real>
Kokkos::Array<Real, 3> upright_reach(box<Real> const& box, Kokkos::Array<Real, 3> const& lo,
                                     Kokkos::Array<Real, 3> const& hi, Real distance) {
  neighbors::detail::bounds<Real> const range{{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
  constexpr bool images_are_particles[3] = {false, false, false};
  auto const frame = neighbors::detail::make_grid_frame(box, range, images_are_particles, distance);
  Kokkos::Array<Real, 3> reach;
  for (int d = 0; d < 3; ++d) reach[d] = static_cast<Real>(frame.width(double(distance), d).value());
  return reach;
}

}  // namespace upsweep::internal
