// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/grid/bad_particle.hpp>
#include <upsweep/neighbors/detail/grid/candidate_runs.hpp>
#include <upsweep/neighbors/detail/grid/particle_groups.hpp>
#include <upsweep/neighbors/detail/grid/particle_order.hpp>
#include <upsweep/neighbors/detail/grid/size_classes.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

// Binning: count the particles of each cell, scan the counts, place every particle in its cell, order each cell.
//
// On GPUs atomics count, and hand out places inside a cell in no particular order. On CPUs, where threads would take
// the counters' cache lines from each other (256,000 particles, two threads: 10.5 ms of 75), particles are sorted by
// their cell. Ordering each cell by (id, image) afterwards makes the result a function of the input alone.

/// The cell of a particle. Of two sets each has cells of its own: those of the points are numbered behind the others.
/// So has each size class: a set's cells are numbered class by class.
template <class Positions, class Systems>
struct cell_finder {
  using real = typename Systems::real;

  Positions positions;
  image const* images;
  Systems systems;
  std::int64_t first_point;  ///< particles from here on are of the second set
  double const* radii;       ///< for classes

  KOKKOS_FUNCTION int operator()(std::int64_t i) const {
    auto const system = systems.system_of(i);
    auto const& sim_box = systems.box_of(system);
    auto const& grid = systems.grid_of(system);
    auto const t = cell_position(sim_box, sim_box.wrap(positions(i)), images == nullptr ? image(0, 0, 0) : images[i]);
    int const first = systems.first_cell(system);
    auto const* const classes = systems.classes_of(system);
    if (classes == nullptr) return first + cell_in(grid, t) + (i < first_point ? 0 : grid.total());
    int const k = classes->of_radius(radii[i]);
    return first + classes->first_cell[k] + cell_in(classes->grid[k], t) + (i < first_point ? 0 : classes->cells());
  }

 private:
  KOKKOS_FUNCTION static int cell_in(grid_geometry<real> const& in, typename box<real>::vector const& t) {
    return in.index(in.coordinate(t[0], 0), in.coordinate(t[1], 1), in.coordinate(t[2], 2));
  }
};

/// One thread per particle: its cell, one more in that cell, and how many came before.
template <class Positions, class Systems>
struct count_cells_kernel {
  cell_finder<Positions, Systems> find;
  int* cell_of;
  int* arrival;
  int* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if constexpr (requires { find.systems.offsets; })
      if (add_to_one_cell(i)) return;
    add(i, find(i));
  }
  KOKKOS_FUNCTION void add(std::int64_t i, int cell) const {
    cell_of[i] = cell;
    arrival[i] = Kokkos::atomic_fetch_add(counts + cell, 1);
  }

 private:
  /// False unless the particle's system is one cell, which all of its particles come to in their own order: they would
  /// wait for each other at one counter. H100, 8192 systems of 128 particles: 72 us with counters, 11 so.
  KOKKOS_FUNCTION bool add_to_one_cell(std::int64_t i) const {
    auto const& systems = find.systems;
    auto const system = systems.system_of(i);
    if (systems.cells_of(system) != 1) return false;
    std::int64_t const first = systems.offsets[system];
    cell_of[i] = systems.first_cell(system);
    arrival[i] = static_cast<int>(i - first);
    if (i == first) counts[cell_of[i]] = static_cast<int>(systems.offsets[system + 1] - first);
    return true;
  }
};

/// The same, with a check of the particles. One that cannot be used goes into any cell, so that none gets many of them:
/// later kernels have their usual work, and nobody reads what comes of it.
/// Pre: particles have no images: where they have, the grid is not cut before they are checked (grid_cut.hpp).
template <class Positions, class Systems>
struct check_and_count_kernel {
  count_cells_kernel<Positions, Systems> count;
  int cells;
  std::uint64_t* noted;  ///< the largest of what bad_particle gives, at 0 before

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const& find = count.find;
    auto const& sim_box = find.systems.sim_box;
    auto const x = find.positions(i);
    bad_particle<Positions, typename Systems::real> const is_bad{find.positions, sim_box, nullptr, 0};
    std::uint64_t const found = is_bad(static_cast<std::size_t>(i), x, sim_box.wrap(x));
    if (found == 0) return count(i);
    Kokkos::atomic_max(noted, found);
    count.add(i, static_cast<int>(i % cells));
  }
};

/// One thread per particle: its cell, as a key to sort by.
template <class Positions, class Systems>
struct cell_keys_kernel {
  cell_finder<Positions, Systems> find;
  int* cell_of;
  unsigned* keys;
  int* order;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    cell_of[i] = find(i);
    keys[i] = static_cast<unsigned>(cell_of[i]);
    order[i] = static_cast<int>(i);
  }
};

/// One thread per block of sorted keys: counts those of each cell. Only the cells of a block's ends are shared.
struct count_sorted_kernel {
  unsigned const* keys;
  std::int64_t n;
  int* counts;

  static constexpr std::int64_t block = 1024;

  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    std::int64_t const last = (b + 1) * block < n ? (b + 1) * block : n;
    for (std::int64_t k = b * block; k < last;) {
      std::int64_t const first = k;
      while (k < last && keys[k] == keys[first]) ++k;
      Kokkos::atomic_add(counts + keys[first], static_cast<int>(k - first));
    }
  }
};

/// Particles of a cell and, above bit 32, the groups that begin with them; nothing for the entry behind the last cell.
template <class Rows>
struct packed_counts {
  Rows rows;
  int const* counts;
  int cells;
  int grouped_cells;  ///< only the first cells have groups: particles of the second of two sets have no rows
  particle_groups groups;
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t cell) const {
    if (cell >= static_cast<std::size_t>(cells)) return 0;
    auto const n = static_cast<std::uint64_t>(counts[cell]);
    if (cell >= static_cast<std::size_t>(grouped_cells)) return n;
    return static_cast<std::uint64_t>(groups.begin_at(counts, static_cast<int>(cell), rows)) << 32 | n;
  }
};

/// One thread per particle: into the place of its cell that it came to.
struct place_kernel {
  int const* cell_of;
  int const* arrival;
  cell_starts starts;
  int* order;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    order[starts.place(cell_of[i]) + arrival[i]] = static_cast<int>(i);
  }
};

/// Writes what is known of a particle to its place.
template <class Positions, class Real, class Systems>
struct store_particle {
  Positions positions;
  Systems systems;
  image const* images;
  Real *x, *y, *z;
  image* sorted_images;
  int* place_of;

  KOKKOS_FUNCTION void operator()(int place, int i) const {
    auto const at = systems.box_of(systems.system_of(i)).wrap(positions(i));
    x[place] = at[0];
    y[place] = at[1];
    z[place] = at[2];
    if (images != nullptr) sorted_images[place] = images[i];
    place_of[i] = place;
  }
  /// Prefetches what storing particle i needs.
  KOKKOS_FUNCTION void prefetch(int i) const {
    if constexpr (requires { positions.prefetch_read(i); }) positions.prefetch_read(i);
    compat::prefetch_write(place_of + i);
  }
};

/// One thread per cell: its particles in ascending (id, image), each then stored at its place;
/// and the groups that begin with them, by their first places. Behind the last group stands the end of all.
template <class Positions, class Real, class Systems>
struct arrange_cells_kernel {
  cell_starts starts;
  particle_order before;
  int* order;
  int* groups;
  int grouped_cells;
  store_particle<Positions, Real, Systems> store;
  int particles;
  /// the particles of all cells are already: they came sorted by cell, and a stable sort keeps ascending indices
  bool in_order;

  static constexpr int ahead = 16;

  KOKKOS_FUNCTION void operator()(std::int64_t c) const {
    auto const cell = static_cast<int>(c);
    int const first = starts.place(cell), n = starts.place(cell + 1) - first;
    int* const v = order + first;
    if (!in_order) sort(v, n);
    for (int k = 0; k < n; ++k) {
      // Where cells have to be ordered, other threads may just now move the particles of later ones.
      if (in_order && first + k + ahead < particles) store.prefetch(v[k + ahead]);
      store(first + k, v[k]);
    }
    int const group = starts.group(cell), last = starts.group(cell + 1);
    for (int g = group; g < last; ++g) groups[g] = first + particle_groups::begin_of(g - group, last - group, n);
    if (cell + 1 == grouped_cells) groups[last] = first + n;
  }

 private:
  KOKKOS_FUNCTION void sort(int* v, int n) const {
    constexpr int few = 64;
    if (n > few || before.ids == nullptr)
      return sort_in_place(
          n, [&](int a, int b) { return before(v[a], v[b]); }, [&](int a, int b) { Kokkos::kokkos_swap(v[a], v[b]); });
    // Insertion, with the ids loaded once and all at a time: they are far apart.
    std::int64_t ids[few];
    for (int k = 0; k < n; ++k) ids[k] = before.ids[v[k]];
    for (int k = 1; k < n; ++k) {
      std::int64_t const id = ids[k];
      int const i = v[k];
      int at = k;
      for (; at > 0 && (id < ids[at - 1] || (id == ids[at - 1] && before(i, v[at - 1]))); --at) {
        ids[at] = ids[at - 1];
        v[at] = v[at - 1];
      }
      ids[at] = id;
      v[at] = i;
    }
  }
};

}  // namespace upsweep::neighbors::detail
