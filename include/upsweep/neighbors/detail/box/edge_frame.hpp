// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <concepts>
#include <limits>

namespace upsweep::neighbors::detail {

/// How positions are measured in a box of any three edges: from the origin, along the unit normals of its faces
/// (edge_normals.hpp).
///
/// Rounding, with e epsilon, w = x - origin, |u||w| the sum of the sizes of the products in a coordinate u . w, s =
/// `size`, and h the height of the box along u. Let y be x less whole edges n.
///   A coordinate u . w, computed, is off by at most 2 e |u||w|.
///   A normal's product with another periodic edge is not 0, and with its own not h, by at most 8 e times the edge's
///   size: 6 e from the normal, 2 e from the product that gave h.
///   Each component of y, three multiply-adds, is off by at most 1.5 e (|x| + |n||edges|).
/// Where no n is more than 1, |u||w| before is at most that behind and s, and a quotient that is rounded to a whole
/// number moves y by no more than e |u||w|. Together a coordinate of y is off by less than 6 e |u||w| + 14 e s, and
/// `tolerance` is more than four times that.
template <std::floating_point Real>
struct edge_frame {
  using vector = Kokkos::Array<Real, 3>;

  vector origin{};
  Kokkos::Array<vector, 3> normals{};
  Real size = 0;  ///< sum of the sizes of all components of the origin and of periodic edges

  static constexpr Real epsilon = std::numeric_limits<Real>::epsilon();
  static constexpr int tolerated_roundings = 64;
  /// A box is at least so many roundings of `size` high, so that the tolerance inside is less than 1/30 of it.
  static constexpr int least_height = 4096;

  /// Nothing is left to contract, so that every backend wraps alike.
  KOKKOS_FUNCTION Real along(vector const& x, int d) const {
    vector const& u = normals[d];
    return Kokkos::fma(u[2], x[2] - origin[2], Kokkos::fma(u[1], x[1] - origin[1], u[0] * (x[0] - origin[0])));
  }

  /// How far below 0 the coordinate of a particle in the box may be.
  KOKKOS_FUNCTION Real tolerance(vector const& x, int d) const {
    vector const& u = normals[d];
    Real sum = Kokkos::abs(u[0] * (x[0] - origin[0]));
    for (int c = 1; c < 3; ++c) sum = Kokkos::fma(Kokkos::abs(u[c]), Kokkos::abs(x[c] - origin[c]), sum);
    return tolerated_roundings * epsilon * (size + sum);
  }
};

}  // namespace upsweep::neighbors::detail
