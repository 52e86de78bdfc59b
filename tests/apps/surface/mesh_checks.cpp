// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "mesh_checks.hpp"

#include <algorithm>
#include <utility>

namespace surface_test {
namespace {

bool on_one_border(std::array<double, 3> const& a, std::array<double, 3> const& b, surface::grid const& g) {
  for (std::size_t d = 0; d < 3; ++d)
    for (double const border : {0.0, static_cast<double>(g.points[d] - 1)})
      if (a[d] == border && b[d] == border) return true;
  return false;
}

}  // namespace

/// Pre: the grid's origin is 0 and its steps are unit vectors, so that borders are exact.
std::string fault_of(plain_mesh const& m, surface::grid const& g) {
  std::vector<std::pair<int, int>> edges;
  std::vector<bool> used(m.vertices.size());
  for (auto const& t : m.triangles)
    for (std::size_t v = 0; v < 3; ++v) {
      if (t[v] < 0 || static_cast<std::size_t>(t[v]) >= m.vertices.size()) return "a vertex that there is not";
      used[static_cast<std::size_t>(t[v])] = true;
      edges.emplace_back(t[v], t[(v + 1) % 3]);
    }
  if (std::find(used.begin(), used.end(), false) != used.end()) return "a vertex without triangles";
  std::sort(edges.begin(), edges.end());
  if (std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return "two triangles have an edge the same way";
  std::int64_t alone = 0;
  for (auto const& [a, b] : edges) {
    if (a == b) return "an edge from a vertex to itself";
    if (std::binary_search(edges.begin(), edges.end(), std::pair(b, a))) continue;
    ++alone;
    if (!on_one_border(m.vertices[static_cast<std::size_t>(a)], m.vertices[static_cast<std::size_t>(b)], g))
      return "an edge of one triangle within the grid";
  }
  if (alone != m.measured.border_edges) return "another number of border edges than measured";
  auto const all = (static_cast<std::int64_t>(edges.size()) + alone) / 2;
  auto const euler = static_cast<std::int64_t>(m.vertices.size()) - all + static_cast<std::int64_t>(m.triangles.size());
  return euler == m.measured.euler() ? "" : "another Euler number than measured";
}

}  // namespace surface_test
