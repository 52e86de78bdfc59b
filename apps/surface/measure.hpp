// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <cstdint>

namespace surface {

/// What is known of a surface without following it.
struct measures {
  std::int64_t vertices = 0, triangles = 0;
  std::int64_t border_edges = 0;  ///< edges with one triangle, which are on the border of the grid
  double area = 0;
  double volume = 0;  ///< inside of the surface, negative where the inside is around it; only of a closed surface

  bool closed() const { return border_edges == 0; }
  /// V - E + F: 2 for each sphere, 0 for each torus. An edge has two triangles, on the border one.
  std::int64_t euler() const { return vertices - (3 * triangles + border_edges) / 2 + triangles; }
};

/// Measures the surface that extract() made of a field. Sums are of double, in an order that n and backend fix.
template <class Real>
measures measure(space_type const& space, field<Real> const& f, Real iso, mesh<Real> const& m);

extern template measures measure(space_type const&, field<float> const&, float, mesh<float> const&);
extern template measures measure(space_type const&, field<double> const&, double, mesh<double> const&);

}  // namespace surface
