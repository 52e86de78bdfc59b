// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "extract.hpp"

#include "corner_words.hpp"
#include "lanes.hpp"
#include "tetrahedra.hpp"

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace surface {
namespace {

template <class Real>
struct mark_inside {
  Real const* values;
  Real iso;
  std::uint32_t points_k, columns;
  std::uint64_t* words;

  template <class Lanes>
  KOKKOS_FUNCTION void operator()(std::int64_t w, Lanes const& lanes) const {
    std::uint32_t const row = static_cast<std::uint32_t>(w) / columns;
    std::uint32_t const first = 64 * (static_cast<std::uint32_t>(w) - row * columns);
    Real const* const v = values + static_cast<std::int64_t>(row) * points_k + first;
    int const n = static_cast<int>(points_k - first < 64 ? points_k - first : 64);
    std::uint64_t const bits = lanes.gather(n, [&](int b) { return v[b] >= iso; });
    lanes.once([&] { words[w] = bits; });
  }
};

/// counts(7 w + d - 1): the vertices on the edges of word w's points in direction d.
struct count_vertices {
  inside_bits bits;
  int* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t w) const {
    corner_words const corners(bits, static_cast<std::uint32_t>(w));
    for (int d = 1; d < 8; ++d) counts[7 * w + d - 1] = Kokkos::popcount(corners.crossed(d));
  }
};

/// Words with vertices. Only their cells have triangles: if a corner of a tetrahedron is on the other side than corner
/// 0, the edge between them is crossed, and it belongs to the word.
struct has_vertices {
  int const* offsets;
  KOKKOS_FUNCTION bool operator()(std::size_t w) const { return offsets[7 * w] != offsets[7 * w + 7]; }
};

/// Which cells of a word have one or two triangles in a tetrahedron: those with one corner on one side and three on the
/// other, and those with two on each.
struct tetrahedron_cells {
  std::uint64_t inside[4], one, two;

  KOKKOS_FUNCTION tetrahedron_cells(tetrahedra const& tables, corner_words const& corners, int t)
      : inside{corners.at[0], corners.at[tables.middle[t][0]], corners.at[tables.middle[t][1]], corners.at[7]} {
    std::uint64_t const a = inside[0], b = inside[1], c = inside[2], d = inside[3];
    one = (a ^ b ^ c ^ d) & corners.cells();
    two = (a | b | c | d) & ~(a & b & c & d) & corners.cells() & ~one;
  }
  KOKKOS_FUNCTION int triangles() const { return Kokkos::popcount(one) + 2 * Kokkos::popcount(two); }
  /// Bit v: whether corner v of cell b's tetrahedron is inside.
  KOKKOS_FUNCTION unsigned corners_inside(int b) const {
    return static_cast<unsigned>((inside[0] >> b & 1) | (inside[1] >> b & 1) << 1 | (inside[2] >> b & 1) << 2 |
                                 (inside[3] >> b & 1) << 3);
  }
};

struct count_triangles {
  inside_bits bits;
  std::uint32_t const* words;
  tetrahedra tables;
  int* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    corner_words const corners(bits, words[n]);
    int sum = 0;
    for (int t = 0; t < tetrahedra::count; ++t) sum += tetrahedron_cells(tables, corners, t).triangles();
    counts[n] = sum;
  }
};

template <class Real>
struct emit_vertices {
  inside_bits bits;
  surface::grid grid;
  Real const* values;
  Real iso;
  std::uint32_t const* words;
  int const* offsets;
  Real* vertices;

  /// Where between two values the iso value is, from 0 to 1.
  KOKKOS_FUNCTION Real crossing(Real from, Real to) const {
    Real const rise = to - from;
    if (Kokkos::isfinite(rise)) return (iso - from) / rise;
    return (iso / 2 - from / 2) / (to / 2 - from / 2);
  }

  template <class Lanes>
  KOKKOS_FUNCTION void operator()(std::int64_t n, Lanes const& lanes) const {
    std::int64_t const w = words[n];
    corner_words const corners(bits, words[n]);
    std::int64_t const row = std::int64_t(corners.i) * bits.rows_j + corners.j, first = 64 * corners.column;
    Real const* const v = values + row * bits.points_k + first;
    auto const start = grid.position(corners.i, corners.j, double(first));
    auto const& along = grid.step[2];
    for (int d = 1; d < 8; ++d) {
      std::uint64_t const crossed = corners.crossed(d);
      if (crossed == 0) continue;
      int const di = d >> 2, dj = d >> 1 & 1, dk = d & 1;
      std::int64_t const next = (std::int64_t(di) * bits.rows_j + dj) * bits.points_k + dk;
      Kokkos::Array<double, 3> edge;
      for (int x = 0; x < 3; ++x) edge[x] = di * grid.step[0][x] + dj * grid.step[1][x] + dk * along[x];
      int const number = offsets[7 * w + d - 1];
      lanes.for_each(crossed, [&](int b) {
        double const t = crossing(v[b], v[b + next]);
        Real* const vertex = vertices + 3 * (std::int64_t(number) + set_below(crossed, b));
        for (int x = 0; x < 3; ++x) vertex[x] = static_cast<Real>(start[x] + b * along[x] + t * edge[x]);
      });
    }
  }
};

struct emit_triangles {
  inside_bits bits;
  std::uint32_t const* words;
  int const* vertex_offsets;
  std::size_t const* triangle_offsets;
  tetrahedra tables;
  int* triangles;

  template <class Lanes>
  KOKKOS_FUNCTION void operator()(std::int64_t n, Lanes const& lanes) const {
    corner_words const corners(bits, words[n]);
    if (corners.cells() == 0) return;
    edge_vertices const vertex(tables, corners, vertex_offsets);
    int* out = triangles + 3 * triangle_offsets[n];
    for (int t = 0; t < tetrahedra::count; ++t) {
      tetrahedron_cells const cells(tables, corners, t);
      std::uint8_t const* const edge = tables.edge[t];
      lanes.for_each(cells.one, [&](int b) {
        unsigned const on = tables.triangle[cells.corners_inside(b)];
        int* const to = out + 3 * set_below(cells.one, b);
        for (int v = 0; v < 3; ++v) to[v] = vertex(edge[on >> 4 * v & 15], b);
      });
      out += 3 * Kokkos::popcount(cells.one);
      lanes.for_each(cells.two, [&](int b) {
        unsigned const on = tables.quadrilateral[cells.corners_inside(b)];
        int corner[4];
        for (int v = 0; v < 4; ++v) corner[v] = vertex(edge[on >> 4 * v & 15], b);
        int* const to = out + 6 * set_below(cells.two, b);
        to[0] = to[3] = corner[0];
        to[1] = corner[1];
        to[2] = to[4] = corner[2];
        to[5] = corner[3];
      });
      out += 6 * Kokkos::popcount(cells.two);
    }
  }
};

void require_size(grid const& g) {
  for (int d = 0; d < 3; ++d)
    if (g.points[d] < 2)
      throw upsweep::input_error("a field of " + std::to_string(g.points[0]) + " x " + std::to_string(g.points[1]) +
                                 " x " + std::to_string(g.points[2]) + " points (expected two or more each way)");
  if (inside_bits::word_count(g) > std::numeric_limits<int>::max())
    throw upsweep::input_error("a field of " + std::to_string(g.size()) + " points (expected no more than 2^37)");
}

/// The edges that the surface crosses, counted and numbered.
struct numbered_edges {
  array<std::uint64_t> inside;
  array<int> offsets;
  array<std::uint32_t> words;  ///< those with vertices
  std::size_t used = 0;        ///< how many these are
  std::uint64_t vertices = 0;
};

template <class Real>
array<std::uint64_t> mark(space_type const& space, field<Real> const& f, Real iso) {
  auto const count = static_cast<std::size_t>(inside_bits::word_count(f.grid));
  auto inside = make<array<std::uint64_t>>(space, "upsweep-surface::inside", count);
  inside_bits const bits(inside.data(), f.grid);
  for_each_word(space, "upsweep-surface::mark", std::int64_t(count),
                mark_inside<Real>{f.values.data(), iso, bits.points_k, bits.columns, inside.data()});
  return inside;
}

numbered_edges number_edges(space_type const& space, upsweep::workspace& workspace, grid const& g,
                            array<std::uint64_t> const& inside) {
  std::size_t const words = inside.extent(0);
  numbered_edges edges;
  edges.inside = inside;
  edges.offsets = make<array<int>>(space, "upsweep-surface::vertex_offsets", 7 * words + 1);
  edges.words = make<array<std::uint32_t>>(space, "upsweep-surface::words", words);
  inside_bits const bits(inside.data(), g);
  Kokkos::parallel_for("upsweep-surface::count_vertices", index_range(space, 0, std::int64_t(words)),
                       count_vertices{bits, edges.offsets.data()});
  auto const counts = Kokkos::subview(edges.offsets, std::pair<std::size_t, std::size_t>(0, 7 * words));
  try {
    upsweep::counts_to_offsets(space, counts, edges.offsets, upsweep::into{edges.vertices}, {.workspace = &workspace});
  } catch (upsweep::overflow_error const&) {
    throw upsweep::input_error("the surface has more than 2^31 - 1 vertices");
  }
  edges.used = upsweep::compact_indices(space, words, edges.words, has_vertices{edges.offsets.data()},
                                        {.workspace = &workspace});
  return edges;
}

}  // namespace

template <class Real>
mesh<Real> extract(space_type const& space, upsweep::workspace& workspace, field<Real> const& f, Real iso,
                   apps::phase_times& times) {
  require_size(f.grid);
  auto const inside = times.time(space, "mark", [&] { return mark(space, f, iso); });
  array<std::size_t> triangle_offsets;
  std::uint64_t triangles = 0;
  auto const edges = times.time(space, "count", [&] {
    auto result = number_edges(space, workspace, f.grid, inside);
    triangle_offsets = make<array<std::size_t>>(space, "upsweep-surface::triangle_offsets", result.used + 1);
    auto const counts = make<array<int>>(space, "upsweep-surface::triangle_counts", result.used);
    Kokkos::parallel_for("upsweep-surface::count_triangles", index_range(space, 0, std::int64_t(result.used)),
                         count_triangles{inside_bits(inside.data(), f.grid), result.words.data(), {}, counts.data()});
    upsweep::counts_to_offsets(space, counts, triangle_offsets, upsweep::into{triangles}, {.workspace = &workspace});
    return result;
  });
  return times.time(space, "emit", [&] {
    upsweep::require_memory(space, 3 * (edges.vertices * sizeof(Real) + triangles * sizeof(int)), "upsweep-surface",
                            std::to_string(triangles) + " triangles");
    mesh<Real> result{make<triples<Real>>(space, "upsweep-surface::vertices", edges.vertices),
                      make<triples<int>>(space, "upsweep-surface::triangles", triangles)};
    inside_bits const bits(inside.data(), f.grid);
    for_each_word(space, "upsweep-surface::emit_vertices", std::int64_t(edges.used),
                  emit_vertices<Real>{bits, f.grid, f.values.data(), iso, edges.words.data(), edges.offsets.data(),
                                      result.vertices.data()});
    for_each_word(
        space, "upsweep-surface::emit_triangles", std::int64_t(edges.used),
        emit_triangles{
            bits, edges.words.data(), edges.offsets.data(), triangle_offsets.data(), {}, result.triangles.data()});
    return result;
  });
}

template mesh<float> extract(space_type const&, upsweep::workspace&, field<float> const&, float, apps::phase_times&);
template mesh<double> extract(space_type const&, upsweep::workspace&, field<double> const&, double, apps::phase_times&);

}  // namespace surface
