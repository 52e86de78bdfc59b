// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// The particles of a cell's neighbourhood that stand side by side in cell order, all in one image.
struct candidate_run {
  int begin, end;  ///< places
  image shift;
};

/// First place of each cell and, above bit 32, the number of groups of particles before it.
struct cell_starts {
  std::uint64_t const* packed;
  KOKKOS_FUNCTION int place(int cell) const { return static_cast<int>(packed[cell] & 0x7fffffffu); }
  KOKKOS_FUNCTION int group(int cell) const { return static_cast<int>(packed[cell] >> 32); }
};

/// All runs of a cell's neighbourhood, numbered: rows of cells in z, then y, before wrapping; in each the cells in
/// ascending x. The cells of a row in x lie side by side in memory, so a row is one run, or more where it wraps.
/// That order, and in a cell the order by (id, image), is the order of a list's rows.
template <class Real>
class candidate_runs {
 public:
  KOKKOS_FUNCTION candidate_runs(grid_geometry<Real> const& grid, int cell) : candidate_runs(grid, cell, cell) {}

  /// The same for a row of cells, from `cell` to `last`: all that is a candidate of one of them, in an order
  /// that is each one's.
  KOKKOS_FUNCTION candidate_runs(grid_geometry<Real> const& grid, int cell, int last) {
    int const rest = cell / grid.cells[0];
    at_[0] = cell - rest * grid.cells[0];
    last_ = at_[0] + last - cell;
    at_[2] = rest / grid.cells[1];
    at_[1] = rest - at_[2] * grid.cells[1];
    first_image_ = grid.wraps[0] ? wraps_of(at_[0] - grid.reach[0], grid.cells[0]) : 0;
    images_ = grid.wraps[0] ? wraps_of(last_ + grid.reach[0], grid.cells[0]) - first_image_ + 1 : 1;
    rows_ = 2 * grid.reach[1] + 1;
    count_ = images_ * rows_ * (2 * grid.reach[2] + 1);
  }

  KOKKOS_FUNCTION int count() const { return count_; }

  /// Run r; empty outside of an open direction.
  KOKKOS_FUNCTION candidate_run operator()(grid_geometry<Real> const& grid, cell_starts const& starts, int r) const {
    int const row = images_ == 1 ? r : r / images_;
    int const layer = row / rows_;
    return run(grid, starts, first_image_ + r - row * images_, row - layer * rows_, layer);
  }

  /// visit(run) for all of them, in their order.
  template <class Visitor>
  void for_each(grid_geometry<Real> const& grid, cell_starts const& starts, Visitor const& visit) const {
    for (int layer = 0; layer <= 2 * grid.reach[2]; ++layer)
      for (int y = 0; y < rows_; ++y)
        for (int ix = first_image_; ix < first_image_ + images_; ++ix) visit(run(grid, starts, ix, y, layer));
  }

 private:
  KOKKOS_FUNCTION candidate_run run(grid_geometry<Real> const& grid, cell_starts const& starts, int ix, int row,
                                    int layer) const {
    int const y_at = at_[1] - grid.reach[1] + row, z_at = at_[2] - grid.reach[2] + layer;
    int const iy = wraps_of(y_at, grid.cells[1]), iz = wraps_of(z_at, grid.cells[2]);
    if ((iy != 0 && !grid.wraps[1]) || (iz != 0 && !grid.wraps[2])) return {0, 0, image(0, 0, 0)};
    int const left = at_[0] - grid.reach[0] - ix * grid.cells[0], right = last_ + grid.reach[0] - ix * grid.cells[0];
    int const first = grid.index(0, y_at - iy * grid.cells[1], z_at - iz * grid.cells[2]);
    return {starts.place(first + (left > 0 ? left : 0)),
            starts.place(first + (right < grid.cells[0] ? right + 1 : grid.cells[0])), image(ix, iy, iz)};
  }

  // floor(at / cells), without a division where at is in the box or next to it.
  KOKKOS_FUNCTION static int wraps_of(int at, int cells) {
    if (at >= 0 && at < cells) return 0;
    return at < 0 ? -((cells - 1 - at) / cells) : at / cells;
  }

  int at_[3], last_;
  int first_image_, images_, rows_, count_;
};

}  // namespace upsweep::neighbors::detail
