// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <cstdint>

namespace surface {

/// One bit for each point of a grid, set where the value is the iso value or above: the point is inside. 64 points
/// along k share a word: points k = 64 c ... 64 c + 63 of row (i, j) have the word (i points[1] + j) columns + c, and
/// bit b is the point k = 64 c + b. Bits behind the end of a row are 0.
struct inside_bits {
  std::uint64_t const* words;
  std::uint32_t rows_i, rows_j, points_k, columns;

  /// Pre: word_count(g) < 2^32.
  inside_bits(std::uint64_t const* data, grid const& g)
      : words(data),
        rows_i(static_cast<std::uint32_t>(g.points[0])),
        rows_j(static_cast<std::uint32_t>(g.points[1])),
        points_k(static_cast<std::uint32_t>(g.points[2])),
        columns(static_cast<std::uint32_t>((g.points[2] + 63) / 64)) {}

  static std::int64_t word_count(grid const& g) { return g.points[0] * g.points[1] * ((g.points[2] + 63) / 64); }
};

/// Bits 0 ... n - 1; all 64 for n >= 64.
KOKKOS_INLINE_FUNCTION std::uint64_t low_bits(std::uint32_t n) {
  return n >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << n) - 1;
}

/// How many of the bits below bit b are set.
KOKKOS_INLINE_FUNCTION int set_below(std::uint64_t bits, int b) {
  return Kokkos::popcount(bits & ((std::uint64_t(1) << b) - 1));
}

/// The corners of the 64 cells whose first corners are the points of a word. A cell's corner 4 di + 2 dj + dk is the
/// point (i + di, j + dj, k + dk); a direction d of edges, from 1 to 7, likewise leads from (i, j, k) there. Every edge
/// of a tetrahedron of the Kuhn subdivision has one of these directions, so it belongs to the point that it begins at.
struct corner_words {
  std::uint32_t i, j, column;
  std::uint32_t row_word[4];  ///< the word of rows (i, j), (i, j+1), (i+1, j), (i+1, j+1)
  std::uint64_t at[8];        ///< bit b: whether that corner of cell b is inside
  std::uint64_t points;       ///< the bits that are points of the row
  std::uint64_t along;        ///< those that have a next point in the row
  bool has_row[4];            ///< whether the row exists

  KOKKOS_FUNCTION corner_words(inside_bits const& bits, std::uint32_t word) {
    std::uint32_t const row = word / bits.columns;
    column = word - row * bits.columns;
    i = row / bits.rows_j;
    j = row - i * bits.rows_j;
    bool const next_i = i + 1 < bits.rows_i, next_j = j + 1 < bits.rows_j, next = column + 1 < bits.columns;
    for (std::uint32_t r = 0; r < 4; ++r) {
      has_row[r] = ((r & 2) == 0 || next_i) && ((r & 1) == 0 || next_j);
      // A row that does not exist has the bits of the first one; nothing of it is used.
      row_word[r] = word + (has_row[r] ? ((r >> 1) * bits.rows_j + (r & 1)) * bits.columns : 0);
      std::uint64_t const here = bits.words[row_word[r]];
      at[2 * r] = here;
      at[2 * r + 1] = here >> 1 | (next ? bits.words[row_word[r] + 1] << 63 : 0);
    }
    points = low_bits(bits.points_k - 64 * column);
    along = low_bits(bits.points_k - 64 * column - 1);
  }

  /// The points whose edge in direction d crosses the surface: one vertex each.
  KOKKOS_FUNCTION std::uint64_t crossed(int d) const {
    return has_row[d >> 1] ? (at[0] ^ at[d]) & ((d & 1) != 0 ? along : points) : 0;
  }
  /// The points that are the first corner of a cell.
  KOKKOS_FUNCTION std::uint64_t cells() const { return has_row[3] ? along : 0; }
};

}  // namespace surface
