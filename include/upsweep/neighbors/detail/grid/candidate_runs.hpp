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

/// Cells side by side in a row of a grid.
struct cells_in_row {
  int at[3];  ///< the first one
  int last;   ///< the last one's coordinate in x

  template <class Real>
  KOKKOS_FUNCTION cells_in_row(grid_geometry<Real> const& grid, int cell, int last_cell) {
    int const rest = cell / grid.cells[0];
    at[0] = cell - rest * grid.cells[0];
    last = at[0] + last_cell - cell;
    at[2] = rest / grid.cells[1];
    at[1] = rest - at[2] * grid.cells[1];
  }
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
    cells_in_row const row(grid, cell, last);
    for (int d = 0; d < 3; ++d) lower_[d] = row.at[d] - grid.reach[d];
    last_ = row.last + grid.reach[0];
    // From the reach alone, so that GPUs need no registers for it.
    number(grid, 2 * grid.reach[1] + 1, 2 * grid.reach[2] + 1);
  }

  /// The runs of the cells from `lower` to `upper`, before wrapping. Pre: none of `lower` is above that of `upper`.
  KOKKOS_FUNCTION candidate_runs(grid_geometry<Real> const& grid, int const (&lower)[3], int const (&upper)[3]) {
    for (int d = 0; d < 3; ++d) lower_[d] = lower[d];
    last_ = upper[0];
    number(grid, upper[1] - lower[1] + 1, upper[2] - lower[2] + 1);
  }

  KOKKOS_FUNCTION int count() const { return count_; }

  /// Run r; empty outside of an open direction. Starts: cell_starts, or what else knows the first place of each cell.
  template <class Starts>
  KOKKOS_FUNCTION candidate_run operator()(grid_geometry<Real> const& grid, Starts const& starts, int r) const {
    int const row = images_ == 1 ? r : r / images_;
    int const layer = row / rows_;
    return run(grid, starts, first_image_ + r - row * images_, row - layer * rows_, layer);
  }

  /// visit(run) for all of them, in their order.
  template <class Visitor>
  void for_each(grid_geometry<Real> const& grid, cell_starts const& starts, Visitor const& visit) const {
    for (int layer = 0; layer < layers_; ++layer)
      for (int y = 0; y < rows_; ++y)
        for (int ix = first_image_; ix < first_image_ + images_; ++ix) visit(run(grid, starts, ix, y, layer));
  }

 private:
  KOKKOS_FUNCTION void number(grid_geometry<Real> const& grid, int rows, int layers) {
    first_image_ = grid.wraps[0] ? wraps_of(lower_[0], grid.cells[0]) : 0;
    images_ = grid.wraps[0] ? wraps_of(last_, grid.cells[0]) - first_image_ + 1 : 1;
    rows_ = rows;
    layers_ = layers;
    count_ = images_ * rows_ * layers_;
  }

  template <class Starts>
  KOKKOS_FUNCTION candidate_run run(grid_geometry<Real> const& grid, Starts const& starts, int ix, int row,
                                    int layer) const {
    int const y_at = lower_[1] + row, z_at = lower_[2] + layer;
    int const iy = wraps_of(y_at, grid.cells[1]), iz = wraps_of(z_at, grid.cells[2]);
    if ((iy != 0 && !grid.wraps[1]) || (iz != 0 && !grid.wraps[2])) return {0, 0, image(0, 0, 0)};
    int const left = lower_[0] - ix * grid.cells[0], right = last_ - ix * grid.cells[0];
    int const first = grid.index(0, y_at - iy * grid.cells[1], z_at - iz * grid.cells[2]);
    return {starts.place(first + (left > 0 ? left : 0)),
            starts.place(first + (right < grid.cells[0] ? right + 1 : grid.cells[0])), image(ix, iy, iz)};
  }

  // floor(at / cells), without a division where at is in the box or next to it.
  KOKKOS_FUNCTION static int wraps_of(int at, int cells) {
    if (at >= 0 && at < cells) return 0;
    return at < 0 ? -((cells - 1 - at) / cells) : at / cells;
  }

  int lower_[3], last_;  ///< the first cells, and the last one in x
  int first_image_, images_, rows_, layers_, count_;
};

}  // namespace upsweep::neighbors::detail
