// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// Where a cell is in its row of cells along x, and how many those are.
struct cell_row {
  int x, cells;
};

/// How the particles of cells are divided into the groups that the fast builder works on. A cell of many makes groups
/// of up to `size`. Cells of few that stand side by side in a row of cells make one together: the largest of the blocks
/// of 2, 4, 8 or 16 cells, counted from the beginning of the row, that has at most `merged` particles. Where particles
/// are sparse, groups would be of one or two otherwise, with all the work that a group is beside its particles. H200, 1
/// M floats in a Plummer sphere, whole builds, ms: none merged 1.48; up to 16, 24, 32 particles 1.15, 1.11, 1.11; 24 of
/// blocks up to 4, 8 cells 1.16, 1.12. Uniform particles: the same, but 3 % more with 32.
struct particle_groups {
  int size;
  int merged;  ///< at most `size`; 0: none

  /// Where group k begins among the n particles of a cell that makes so many groups: they are of one size, or of two
  /// that are one apart.
  KOKKOS_FUNCTION static int begin_of(int k, int groups, int n) {
    return static_cast<int>(std::int64_t(k) * n / groups);
  }

  /// The number of groups whose first place is the first of this cell's; rows(cell) is the row of cells that
  /// it is in.
  template <class Rows>
  KOKKOS_FUNCTION int begin_at(int const* counts, int cell, Rows const& rows) const {
    constexpr int widest = 16;
    int total = counts[cell];
    if (total > merged) return internal::divide_up(total, size);
    auto const [x, cells] = rows(cell);
    int const* const of_row = counts + (cell - x);
    int begin = x;
    for (int width = 1; width < widest; width *= 2) {
      int const wider = x / (2 * width) * (2 * width), sibling = wider == begin ? begin + width : wider;
      int const end = sibling + width < cells ? sibling + width : cells;
      int more = total;
      for (int c = sibling; c < end && more <= merged; ++c) more += of_row[c];
      if (more > merged) break;
      total = more;
      begin = wider;
    }
    return total > 0 && begin == x ? 1 : 0;
  }
};

}  // namespace upsweep::neighbors::detail
