// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid_geometry.hpp>
#include <upsweep/neighbors/detail/prepare_positions.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstdint>

namespace upsweep::detail {

// Binning: count the particles of each cell, scan the counts, place every particle in its cell, order each cell.
// Atomics count, and hand out places inside a cell in no particular order; ordering each cell by (id, image) afterwards
// makes the result a function of the input alone.

/// One thread a particle: its cell, and one more in that cell.
template <class Real>
struct count_cells_kernel {
  Real const* wrapped;
  image const* images;
  box<Real> limits;
  grid_geometry<Real> grid;
  int* cell_of;
  int* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    image const im = images == nullptr ? image(0, 0, 0) : images[i];
    int c[3];
    for (int d = 0; d < 3; ++d) c[d] = grid.coordinate(shifted(limits, wrapped[3 * i + d], im, d), d);
    int const cell = grid.index(c[0], c[1], c[2]);
    cell_of[i] = cell;
    Kokkos::atomic_inc(counts + cell);
  }
};

/// One thread a particle: the next free place of its cell. `cursors` starts as the cells' first places.
struct place_kernel {
  int const* cell_of;
  int* cursors;
  int* order;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    order[Kokkos::atomic_fetch_add(cursors + cell_of[i], 1)] = static_cast<int>(i);
  }
};

/// One thread a cell: its particles in ascending (id, image). Insertion sort for the few particles of a usual cell, heap
/// sort above that, so that a crowded cell costs n log n and no memory.
struct order_cells_kernel {
  int const* starts;
  std::int64_t const* ids;
  image const* images;
  int* order;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    int* const first = order + starts[cell];
    int const n = starts[cell + 1] - starts[cell];
    if (n <= 32) insertion_sort(first, n);
    else heap_sort(first, n);
  }

 private:
  KOKKOS_FUNCTION bool before(int a, int b) const {
    if (ids != nullptr) {
      if (ids[a] != ids[b]) return ids[a] < ids[b];
      if (images != nullptr && !(images[a] == images[b])) return images[a] < images[b];
    }
    return a < b;
  }
  KOKKOS_FUNCTION void insertion_sort(int* v, int n) const {
    for (int k = 1; k < n; ++k) {
      int const x = v[k];
      int at = k;
      for (; at > 0 && before(x, v[at - 1]); --at) v[at] = v[at - 1];
      v[at] = x;
    }
  }
  KOKKOS_FUNCTION void heap_sort(int* v, int n) const {
    for (int root = n / 2 - 1; root >= 0; --root) sift_down(v, root, n);
    for (int last = n - 1; last > 0; --last) {
      Kokkos::kokkos_swap(v[0], v[last]);
      sift_down(v, 0, last);
    }
  }
  KOKKOS_FUNCTION void sift_down(int* v, int root, int n) const {
    int const x = v[root];
    for (std::int64_t child = 2 * std::int64_t(root) + 1; child < n; child = 2 * std::int64_t(root) + 1) {
      if (child + 1 < n && before(v[child], v[child + 1])) ++child;
      if (!before(x, v[child])) break;
      v[root] = v[child];
      root = static_cast<int>(child);
    }
    v[root] = x;
  }
};

/// One thread a place: coordinates (and image) of the particle that stands there, so that cells are read in a row.
template <class Real>
struct gather_kernel {
  Real const* wrapped;
  image const* images;
  int const* order;
  Real *x, *y, *z;
  image* sorted_images;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t const i = order[k];
    x[k] = wrapped[3 * i];
    y[k] = wrapped[3 * i + 1];
    z[k] = wrapped[3 * i + 2];
    if (images != nullptr) sorted_images[k] = images[i];
  }
};

}  // namespace upsweep::detail
