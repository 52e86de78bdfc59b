// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// From a mesh to its graph to a sparse matrix that Kokkos Kernels multiplies by vectors: finite elements for the
// Laplacian on triangles. Offsets and values of packed rows are row map and entries of a CRS matrix, without a copy.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/pack_unique_rows.hpp>
#include <upsweep/scan/reduce.hpp>

#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>

#include <cmath>

using space_type = Kokkos::DefaultExecutionSpace;
using device = Kokkos::Device<space_type, space_type::memory_space>;
using matrix = KokkosSparse::CrsMatrix<double, int, device, void, std::size_t>;

struct mesh {
  Kokkos::View<double* [2]> x;     // of each node
  Kokkos::View<int* [3]> corners;  // nodes of each triangle
};

/// The unit square in 2 m^2 triangles, whose inner nodes are shifted a little.
mesh make_mesh(int m) {
  mesh const made{Kokkos::View<double* [2]>("x", (m + 1) * (m + 1)), Kokkos::View<int* [3]>("corners", 2 * m * m)};
  Kokkos::parallel_for(
      "nodes", (m + 1) * (m + 1), KOKKOS_LAMBDA(int i) {
        int const place[2] = {i % (m + 1), i / (m + 1)};
        bool const inside = place[0] % m != 0 && place[1] % m != 0;
        for (int d = 0; d < 2; ++d) made.x(i, d) = (place[d] + (inside ? 0.2 * std::sin(7.0 * i + d) : 0.0)) / m;
      });
  Kokkos::parallel_for(
      "triangles", 2 * m * m, KOKKOS_LAMBDA(int t) {
        int const first = t / 2 % m + t / 2 / m * (m + 1);  // of the four nodes of a square
        made.corners(t, 0) = first;
        made.corners(t, 1) = t % 2 == 0 ? first + 1 : first + m + 2;
        made.corners(t, 2) = t % 2 == 0 ? first + m + 2 : first + m + 1;
      });
  return made;
}

/// A row for each node: the nodes that share a triangle with it, ascending, each once.
upsweep::lists<int> graph_of(mesh const& given) {
  space_type const space;
  auto const corners = given.corners;
  int const entries = 3 * static_cast<int>(corners.extent(0)), n = static_cast<int>(given.x.extent(0));
  // The triangles of each node, side by side.
  Kokkos::View<int*> const node("node", entries), counts("counts", n), first("first", n + 1), taken("taken", n),
      triangles("triangles", entries);
  Kokkos::parallel_for("nodes of triangles", entries, KOKKOS_LAMBDA(int k) { node(k) = corners(k / 3, k % 3); });
  upsweep::histogram(space, node, counts, first);
  Kokkos::parallel_for(
      "triangles of nodes", entries,
      KOKKOS_LAMBDA(int k) { triangles(first(node(k)) + Kokkos::atomic_fetch_add(&taken(node(k)), 1)) = k / 3; });
  return upsweep::pack_unique_rows<int>(
      space, n, KOKKOS_LAMBDA(std::size_t i, upsweep::emitter<int> const& emit) {
        for (int k = first(i); k < first(i + 1); ++k)
          for (int c = 0; c < 3; ++c) emit(corners(triangles(k), c));
      });
}

/// Each triangle adds the products of its shape functions' gradients.
matrix assemble(mesh const& given, upsweep::lists<int> const& graph) {
  auto const x = given.x;
  auto const corners = given.corners;
  int const n = static_cast<int>(x.extent(0));
  matrix const A("A", n, n, graph.total(), Kokkos::View<double*>("values", graph.total()), graph.offsets, graph.values);
  auto const offsets = graph.offsets;
  auto const columns = graph.values;
  auto const values = A.values;
  Kokkos::parallel_for(
      "assemble", corners.extent(0), KOKKOS_LAMBDA(int t) {
        double gradient[3][2], area = 0;
        for (int a = 0; a < 3; ++a) {
          int const i = corners(t, a), b = corners(t, (a + 1) % 3), c = corners(t, (a + 2) % 3);
          gradient[a][0] = x(b, 1) - x(c, 1);
          gradient[a][1] = x(c, 0) - x(b, 0);
          area += 0.5 * x(i, 0) * gradient[a][0];
        }
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            std::size_t k = offsets(corners(t, a));
            while (columns(k) != corners(t, b)) ++k;
            Kokkos::atomic_add(&values(k),
                               (gradient[a][0] * gradient[b][0] + gradient[a][1] * gradient[b][1]) / (4 * area));
          }
      });
  return A;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  space_type const space;
  int const m = 100, n = (m + 1) * (m + 1);
  auto const square = make_mesh(m);
  auto const graph = graph_of(square);
  example::expect<std::size_t>("entries of the matrix", graph.total(), 70601);
  auto const A = assemble(square, graph);

  // u = 2 x + 3 y is in the space of the elements: A u is 0 at inner nodes, and u A u the integral of |grad u|^2 = 13.
  auto const x = square.x;
  Kokkos::View<double*> const u("u", n), product("A u", n);
  Kokkos::parallel_for("u", n, KOKKOS_LAMBDA(int i) { u(i) = 2 * x(i, 0) + 3 * x(i, 1); });
  KokkosSparse::spmv("N", 1.0, A, u, 0.0, product);
  auto const energy = upsweep::reduce<double>(space, n, KOKKOS_LAMBDA(std::size_t i) { return u(i) * product(i); });
  auto const inside = upsweep::reduce<double>(
      space, n,
      KOKKOS_LAMBDA(int i) { return i % (m + 1) % m != 0 && i / (m + 1) % m != 0 ? Kokkos::abs(product(i)) : 0.0; },
      upsweep::max<>{});
  example::confirm("A u is 0 at inner nodes", inside < 1e-11);
  example::confirm("u A u is 13", std::abs(energy - 13) < 1e-9);
  return example::exit_code();
}
