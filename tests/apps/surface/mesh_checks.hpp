// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../../../apps/surface/extract.hpp"
#include "../../../apps/surface/measure.hpp"

#include <upsweep/base/workspace.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace surface_test {

/// A mesh in vectors, with what the program measures of it.
struct plain_mesh {
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<int, 3>> triangles;
  surface::measures measured;
};

inline surface::grid unit_grid(std::int64_t a, std::int64_t b, std::int64_t c) {
  surface::grid g;
  g.points = {a, b, c};
  return g;
}

/// A cube from -1 to 1 of n points each way.
inline surface::grid cube_grid(std::int64_t n) {
  auto g = unit_grid(n, n, n);
  for (int d = 0; d < 3; ++d) {
    g.origin[d] = -1;
    g.step[d][d] = 2.0 / static_cast<double>(n - 1);
  }
  return g;
}

template <class Real>
surface::field<Real> to_field(surface::grid const& g, std::vector<Real> const& values) {
  surface::space_type const space;
  auto const device = surface::make<surface::array<Real>>(space, "values", values.size());
  using host = Kokkos::View<Real const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Kokkos::deep_copy(device, host(values.data(), values.size()));
  return {g, device};
}

/// The values of f(x, y, z) at the points of a grid.
template <class Real, class F>
std::vector<Real> sample(surface::grid const& g, F const& f) {
  std::vector<Real> values;
  for (std::int64_t i = 0; i < g.points[0]; ++i)
    for (std::int64_t j = 0; j < g.points[1]; ++j)
      for (std::int64_t k = 0; k < g.points[2]; ++k) {
        auto const x = g.position(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        values.push_back(static_cast<Real>(f(x[0], x[1], x[2])));
      }
  return values;
}

template <class Real>
plain_mesh in_vectors(surface::mesh<Real> const& m) {
  plain_mesh result;
  auto const vertices = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m.vertices);
  auto const triangles = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m.triangles);
  for (std::size_t v = 0; v < vertices.extent(0); ++v)
    result.vertices.push_back({double(vertices(v, 0)), double(vertices(v, 1)), double(vertices(v, 2))});
  for (std::size_t t = 0; t < triangles.extent(0); ++t)
    result.triangles.push_back({triangles(t, 0), triangles(t, 1), triangles(t, 2)});
  return result;
}

template <class Real>
plain_mesh extracted(surface::grid const& g, std::vector<Real> const& values, Real iso) {
  surface::space_type const space;
  upsweep::workspace workspace(space);
  apps::phase_times times;
  auto const f = to_field(g, values);
  auto const m = surface::extract(space, workspace, f, iso, times);
  auto result = in_vectors(m);
  result.measured = surface::measure(space, f, iso, m);
  return result;
}

/// What is wrong with a surface that extract() made: each edge of a triangle is that of one more, which has it the
/// other way round, or lies in the border of the grid; each vertex is used; the program counts as this does. Empty
/// where nothing is wrong.
std::string fault_of(plain_mesh const& m, surface::grid const& g);

/// The triangles that the Kuhn subdivision has in a field, counted cell by cell along paths of cell edges.
template <class Real>
std::int64_t count_triangles(surface::grid const& g, std::vector<Real> const& values, Real iso) {
  static constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  auto const& n = g.points;
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i + 1 < n[0]; ++i)
    for (std::int64_t j = 0; j + 1 < n[1]; ++j)
      for (std::int64_t k = 0; k + 1 < n[2]; ++k)
        for (auto const& order : orders) {
          std::int64_t at[3] = {i, j, k};
          int inside = 0;
          for (int step = 0; step < 4; ++step) {
            inside += values[static_cast<std::size_t>((at[0] * n[1] + at[1]) * n[2] + at[2])] >= iso;
            if (step < 3) ++at[order[step]];
          }
          sum += inside == 2 ? 2 : inside == 0 || inside == 4 ? 0 : 1;
        }
  return sum;
}

}  // namespace surface_test
