// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "corner_words.hpp"

#include <cstdint>

namespace surface {

/// The Kuhn subdivision: six tetrahedra of a cell, each along a path of cell edges from corner 0 to corner 7, whose two
/// corners on the way are middle[t]. All are positively oriented. The faces of neighbouring cells are divided alike.
/// Kernels hold the tables as a member: not every GPU compiler can read a constexpr array of the host by an index.
struct tetrahedra {
  static constexpr int count = 6;
  /// The tetrahedra of a cell have 19 edges. The first 14, the plain ones, begin at a point with the cell's k, in one
  /// of four rows. The last 5 are plain ones moved one point along k.
  static constexpr int cell_edges = 19, plain_edges = 14;

  std::uint8_t middle[count][2]{{4, 6}, {5, 4}, {6, 2}, {2, 3}, {1, 5}, {3, 1}};
  std::uint8_t row[plain_edges]{}, direction[plain_edges]{};  ///< where a plain edge begins, and its direction
  std::uint8_t plain[cell_edges - plain_edges]{};             ///< the plain edge that each of the last 5 is moved from
  std::uint8_t edge[count][6]{};  ///< edges 01 02 03 12 13 23 of each tetrahedron as edges of the cell
  /// triangle[s], where bit v of s is set if corner v of the tetrahedron is inside: which of the six edges the corners
  /// of the triangle are on, four bits each. Its normal leads from inside to outside. For one corner inside, or one
  /// outside.
  std::uint16_t triangle[16]{};
  /// The same for two corners inside: the corners of a quadrilateral, in order.
  std::uint16_t quadrilateral[16]{};

  constexpr tetrahedra() {
    int n = 0;
    for (int r = 0; r < 4; ++r)
      for (int d = 1; d < 8; ++d)
        if ((d & (2 * r)) == 0) {
          row[n] = static_cast<std::uint8_t>(r);
          direction[n++] = static_cast<std::uint8_t>(d);
        }
    int shifted = 0;
    for (int e = 0; e < plain_edges; ++e)
      if ((direction[e] & 1) == 0) plain[shifted++] = static_cast<std::uint8_t>(e);
    for (int t = 0; t < count; ++t) {
      int const corner[4] = {0, middle[t][0], middle[t][1], 7};
      for (int a = 0, e = 0; a < 4; ++a)
        for (int b = a + 1; b < 4; ++b) edge[t][e++] = static_cast<std::uint8_t>(cell_edge(corner[a], corner[b]));
    }
    for (int v = 0; v < 4; ++v) {
      // v and the three in this order are an even permutation: their triangle has its normal away from v.
      int const others[4][3] = {{1, 2, 3}, {0, 3, 2}, {3, 0, 1}, {2, 1, 0}};
      int const a = pair(v, others[v][0]), b = pair(v, others[v][1]), c = pair(v, others[v][2]);
      triangle[1 << v] = static_cast<std::uint16_t>(a | b << 4 | c << 8);
      triangle[15 ^ 1 << v] = static_cast<std::uint16_t>(a | c << 4 | b << 8);
    }
    int const partitions[3][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}};
    for (auto const& p : partitions) {
      int const a = pair(p[0], p[2]), b = pair(p[0], p[3]), c = pair(p[1], p[3]), d = pair(p[1], p[2]);
      int const inside = 1 << p[0] | 1 << p[1];
      quadrilateral[inside] = static_cast<std::uint16_t>(a | b << 4 | c << 8 | d << 12);
      quadrilateral[15 ^ inside] = static_cast<std::uint16_t>(d | c << 4 | b << 8 | a << 12);
    }
  }

 private:
  /// The number of edge ab among 01 02 03 12 13 23.
  static constexpr int pair(int a, int b) {
    int const low = a < b ? a : b, high = a < b ? b : a;
    return low == 0 ? high - 1 : low + high;
  }
  /// The edge between two corners of a cell, of which one's bits are among the other's.
  constexpr int cell_edge(int a, int b) const {
    int const low = a & b, d = a ^ b;
    int found = 0;
    for (int e = 0; e < plain_edges; ++e)
      if (2 * row[e] == (low & 6) && direction[e] == d) found = e;
    if ((low & 1) == 0) return found;
    for (int s = 0; s < cell_edges - plain_edges; ++s)
      if (plain[s] == found) return plain_edges + s;
    return -1;
  }
};

/// The numbers of the vertices on the edges of 64 cells.
struct edge_vertices {
  int first[tetrahedra::cell_edges];  ///< the number of the first vertex
  int last[tetrahedra::cell_edges];   ///< added for cell 63, whose edge may begin in the next word
  std::uint64_t crossed[tetrahedra::cell_edges];

  /// offsets(7 w + d - 1): the vertices before those of word w in direction d.
  KOKKOS_FUNCTION edge_vertices(tetrahedra const& tables, corner_words const& corners, int const* offsets) {
    constexpr int plain = tetrahedra::plain_edges;
    for (int e = 0; e < plain; ++e) {
      int const r = tables.row[e], d = tables.direction[e];
      first[e] = offsets[std::int64_t(7) * corners.row_word[r] + d - 1];
      last[e] = 0;
      crossed[e] = corners.at[2 * r] ^ corners.at[2 * r | d];
    }
    bool const has_next = corners.along >> 63 != 0;
    for (int s = 0; s < tetrahedra::cell_edges - plain; ++s) {
      int const e = tables.plain[s], r = tables.row[e], d = tables.direction[e];
      // The vertices of bits 1 ... b of the plain edge come before that of cell b.
      first[plain + s] = first[e] + static_cast<int>(crossed[e] & 1);
      crossed[plain + s] = crossed[e] >> 1;
      last[plain + s] = has_next ? offsets[std::int64_t(7) * (corners.row_word[r] + 1) + d - 1] - first[plain + s] -
                                       Kokkos::popcount(crossed[plain + s])
                                 : 0;
    }
  }

  /// The vertex on edge e of cell b, which the surface crosses.
  KOKKOS_FUNCTION int operator()(int e, int b) const {
    return first[e] + set_below(crossed[e], b) + (b == 63 ? last[e] : 0);
  }
};

}  // namespace surface
