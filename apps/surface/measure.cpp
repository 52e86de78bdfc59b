// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "measure.hpp"

#include "../support/sum_of.hpp"

#include <upsweep/scan/reduce.hpp>

#include <cstddef>

namespace surface {
namespace {

struct parts {
  double area, volume;
  KOKKOS_FUNCTION friend parts operator+(parts const& a, parts const& b) {
    return {a.area + b.area, a.volume + b.volume};
  }
};

/// The area of triangle n and the volume of its tetrahedron with the grid's origin, which is near: less cancels.
template <class Real>
struct parts_of_triangle {
  Real const* vertices;
  int const* triangles;
  Kokkos::Array<double, 3> origin;

  KOKKOS_FUNCTION parts operator()(std::size_t n) const {
    double x[3][3];
    for (int v = 0; v < 3; ++v)
      for (int d = 0; d < 3; ++d) x[v][d] = double(vertices[3 * std::int64_t(triangles[3 * n + v]) + d]) - origin[d];
    auto const normal = area_vector(x);
    return {Kokkos::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) / 2,
            (x[0][0] * normal[0] + x[0][1] * normal[1] + x[0][2] * normal[2]) / 6};
  }
};

/// Counts the edges of the surface in square n of the two border faces at right angles to axis d. The diagonal from its
/// first point halves each square of a face; a half has one such edge if its corners are not all on one side.
template <class Real>
struct edges_of_square {
  Real const* values;
  Real iso;
  Kokkos::Array<std::int64_t, 3> points;
  int d;

  std::int64_t count() const { return 2 * (points[(d + 1) % 3] - 1) * (points[(d + 2) % 3] - 1); }

  KOKKOS_FUNCTION std::int64_t operator()(std::size_t n) const {
    int const a = (d + 1) % 3, b = (d + 2) % 3;
    std::int64_t const of_a = points[a] - 1, square = std::int64_t(n) / 2;
    std::int64_t const stride[3] = {points[1] * points[2], points[2], 1};
    std::int64_t const first =
        (n % 2 == 0 ? 0 : (points[d] - 1) * stride[d]) + square % of_a * stride[a] + square / of_a * stride[b];
    bool const near = values[first] >= iso, far = values[first + stride[a] + stride[b]] >= iso,
               at_a = values[first + stride[a]] >= iso, at_b = values[first + stride[b]] >= iso;
    return int(near != far || near != at_a) + int(near != far || near != at_b);
  }
};

}  // namespace

template <class Real>
measures measure(space_type const& space, field<Real> const& f, Real iso, mesh<Real> const& m) {
  measures result;
  result.vertices = std::int64_t(m.vertices.extent(0));
  result.triangles = std::int64_t(m.triangles.extent(0));
  auto const sum = upsweep::reduce<parts>(space, m.triangles.extent(0),
                                          parts_of_triangle<Real>{m.vertices.data(), m.triangles.data(), f.grid.origin},
                                          apps::sum_of<parts>{});
  result.area = sum.area;
  result.volume = sum.volume;
  for (int d = 0; d < 3; ++d) {
    edges_of_square<Real> const edges{f.values.data(), iso, f.grid.points, d};
    result.border_edges += upsweep::reduce(space, static_cast<std::size_t>(edges.count()), edges);
  }
  return result;
}

template measures measure(space_type const&, field<float> const&, float, mesh<float> const&);
template measures measure(space_type const&, field<double> const&, double, mesh<double> const&);

}  // namespace surface
