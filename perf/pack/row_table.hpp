// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "operation.hpp"

#include <cstddef>
#include <cstdint>

namespace perf::pack {

/// A cube of hexahedra. Nodes and elements are numbered x first.
struct hex_mesh {
  int cells;  ///< along an edge

  KOKKOS_FORCEINLINE_FUNCTION int points() const { return cells + 1; }
  std::size_t nodes() const { return cube(points()); }
  std::size_t elements() const { return cube(cells); }

  /// Counted around the faces, as meshes do, so that the nodes of an element do not ascend.
  KOKKOS_FORCEINLINE_FUNCTION int node(std::size_t element, int corner) const {
    auto const c = static_cast<std::size_t>(cells);
    int const x = static_cast<int>(element % c), y = static_cast<int>(element / c % c),
              z = static_cast<int>(element / c / c);
    int const on_face = corner % 4, dx = on_face == 1 || on_face == 2 ? 1 : 0;
    return ((z + corner / 4) * points() + y + on_face / 2) * points() + x + dx;
  }

 private:
  static std::size_t cube(int edge) { return static_cast<std::size_t>(edge) * edge * edge; }
};

/// A table with repeated values, row by row: of a mesh the nodes of each node's elements, up to 64 of which up to 27
/// differ; else 0 to 31 of 16 random columns.
struct row_table {
  bool is_mesh;
  hex_mesh mesh;
  std::size_t rows;

  /// With about n values in all.
  static row_table of(operation op, std::size_t n) {
    if (op == operation::sort_and_unique_short_rows) return {false, {0}, n / 16 + 1};
    hex_mesh mesh{1};
    while (64 * static_cast<std::size_t>(mesh.points()) * mesh.points() * mesh.points() <= n) ++mesh.cells;
    return {true, mesh, mesh.nodes()};
  }

  KOKKOS_FORCEINLINE_FUNCTION std::size_t size(std::size_t row) const {
    if (!is_mesh) return splitmix64(row) % 32;
    auto const a = around(row);
    return static_cast<std::size_t>(8) * a.nx * a.ny * a.nz;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t value(std::size_t row, std::size_t k) const {
    if (!is_mesh) return splitmix64(row * 16 + splitmix64(row * 32 + k) % 16) % rows;
    auto const a = around(row);
    int const e = static_cast<int>(k / 8), c = mesh.cells;
    int const x = a.x + e % a.nx, y = a.y + e / a.nx % a.ny, z = a.z + e / a.nx / a.ny;
    return static_cast<std::size_t>(mesh.node((static_cast<std::size_t>(z) * c + y) * c + x, static_cast<int>(k % 8)));
  }

 private:
  /// The elements of a node: the first, and how many there are in each direction.
  struct elements_around {
    int x, y, z, nx, ny, nz;
  };
  KOKKOS_FORCEINLINE_FUNCTION elements_around around(std::size_t node) const {
    auto const p = static_cast<std::size_t>(mesh.points());
    int const x = static_cast<int>(node % p), y = static_cast<int>(node / p % p), z = static_cast<int>(node / p / p);
    auto const first = [](int at) { return at == 0 ? 0 : at - 1; };
    auto const count = [&](int at) { return at == 0 || at == mesh.cells ? 1 : 2; };
    return {first(x), first(y), first(z), count(x), count(y), count(z)};
  }
};

/// Where its rows start.
struct scan_row_sizes {
  row_table table;
  std::size_t* starts;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& before, bool final) const {
    if (final) starts[i] = before;
    if (i < table.rows) before += table.size(i);
  }
};
template <class T>
struct fill_row_table {
  row_table table;
  std::size_t const* starts;
  T* values;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    for (std::size_t k = 0; k < table.size(i); ++k) values[starts[i] + k] = static_cast<T>(table.value(i, k));
  }
};
template <class T>
struct fill_elements {
  hex_mesh mesh;
  T* nodes;
  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    nodes[k] = static_cast<T>(mesh.node(k / 8, static_cast<int>(k % 8)));
  }
};

/// Whether a row of the result is not what the table's row has: strictly ascending, all of its values, and no other.
template <class T>
struct wrong_unique_row {
  row_table table;
  std::size_t const* offsets;
  T const* out;
  std::size_t room;

  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    std::size_t const begin = offsets[i], end = offsets[i + 1], size = table.size(i);
    if ((i == 0 && begin != 0) || end < begin || end > room || end - begin > size) return true;
    for (std::size_t k = begin + 1; k < end; ++k)
      if (!(out[k - 1] < out[k])) return true;
    std::size_t met = 0;  // values of the result that the table's row has
    for (std::size_t k = begin; k < end; ++k) met += in_table(i, size, out[k]) ? 1 : 0;
    if (met != end - begin) return true;
    for (std::size_t k = 0; k < size; ++k)
      if (!in_result(begin, end, static_cast<T>(table.value(i, k)))) return true;
    return false;
  }

 private:
  KOKKOS_FUNCTION bool in_table(std::size_t i, std::size_t size, T x) const {
    for (std::size_t k = 0; k < size; ++k)
      if (static_cast<T>(table.value(i, k)) == x) return true;
    return false;
  }
  KOKKOS_FUNCTION bool in_result(std::size_t begin, std::size_t end, T x) const {
    for (std::size_t k = begin; k < end; ++k)
      if (out[k] == x) return true;
    return false;
  }
};

}  // namespace perf::pack
