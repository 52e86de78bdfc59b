// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace surface {

using space_type = Kokkos::DefaultExecutionSpace;
using memory_space = space_type::memory_space;

template <class T>
using array = Kokkos::View<T*, memory_space>;
/// One row of three for each vertex or triangle, rows packed.
template <class T>
using triples = Kokkos::View<T* [3], Kokkos::LayoutRight, memory_space>;

/// A regular grid of points. Point (i, j, k) is at origin + i step[0] + j step[1] + k step[2], and its value has the
/// number (i points[1] + j) points[2] + k. The steps are right-handed: their triple product is positive.
struct grid {
  Kokkos::Array<std::int64_t, 3> points{};
  Kokkos::Array<double, 3> origin{0, 0, 0};
  Kokkos::Array<Kokkos::Array<double, 3>, 3> step{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

  KOKKOS_FUNCTION std::int64_t size() const { return points[0] * points[1] * points[2]; }
  KOKKOS_FUNCTION Kokkos::Array<double, 3> position(double i, double j, double k) const {
    Kokkos::Array<double, 3> x;
    for (int d = 0; d < 3; ++d) x[d] = origin[d] + i * step[0][d] + j * step[1][d] + k * step[2][d];
    return x;
  }
};

/// A scalar at each point of a grid.
template <class Real>
struct field {
  surface::grid grid;
  array<Real const> values;
};

/// Triangles that share their vertices: `triangles` has three numbers of rows of `vertices`.
template <class Real>
struct mesh {
  triples<Real> vertices;
  triples<int> triangles;
};

/// A View that is not initialised, on CPUs in huge pages: the first write to each new page of a mesh was half of the
/// time of emission (docs/surfaces.md).
template <class View>
View make(space_type const& space, std::string const& label, std::size_t n) {
  View const view(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), n);
  if constexpr (std::is_same_v<memory_space, Kokkos::HostSpace>)
    upsweep::compat::prefer_huge_pages(view.data(), view.span() * sizeof(typename View::value_type));
  return view;
}

/// Normal to a triangle of corners x[0], x[1], x[2], counter-clockwise as seen from its tip; twice the area long.
KOKKOS_INLINE_FUNCTION Kokkos::Array<double, 3> area_vector(double const (&x)[3][3]) {
  double a[3], b[3];
  for (int d = 0; d < 3; ++d) {
    a[d] = x[1][d] - x[0][d];
    b[d] = x[2][d] - x[0][d];
  }
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

using index_range = Kokkos::RangePolicy<space_type, Kokkos::IndexType<std::int64_t>>;

}  // namespace surface
