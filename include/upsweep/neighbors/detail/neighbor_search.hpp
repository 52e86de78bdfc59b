// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid_geometry.hpp>
#include <upsweep/neighbors/detail/prepare_positions.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/pack/emitter.hpp>

#include <cstdint>

namespace upsweep::detail {

/// A pair as the list stores it when the images of pairs are asked for.
struct imaged_neighbor {
  int index;
  image shift;
};

/// All neighbours of a particle, one after the other: rows of cells in z, then y; in each the cells in ascending x before
/// wrapping; in each cell ascending (id, image). The order is a function of the input alone.
///
/// The cells of a row in x lie side by side in memory, so a row is one run of candidates, or two or three where it wraps.
/// Distances: d = (x_j - x_i) + shift, r2 = fma(dz, dz, fma(dy, dy, dx * dx)): nothing is left to contract, and a pair
/// gets the same r2 from both its ends, on every backend and from ghosts.
template <class Real>
struct neighbor_search {
  grid_geometry<Real> grid;
  box<Real> limits;
  Real cutoff_squared;
  Real const* wrapped;         // x, y, z of particle i, in the caller's order
  Real const *x, *y, *z;       // in cell order
  int const* starts;           // first place of each cell
  int const* order;            // particle at each place
  image const* images;         // of particle i; null where the list makes images itself
  image const* sorted_images;  // the same in cell order

  /// visit(j, image of j as seen from i) for each neighbour.
  template <class Visitor>
  KOKKOS_FUNCTION void for_each(std::int64_t i, Visitor const& visit) const {
    walk(i, [&](int begin, int end, auto const& squared, auto const& image_of) {
      visit_hits(i, begin, end, squared, image_of, visit);
    });
  }

  /// The number of neighbours. The particle finds itself, at distance 0, once.
  KOKKOS_FUNCTION std::size_t count(std::int64_t i) const {
    std::size_t found = 0;
    walk(i, [&](int begin, int end, auto const& squared, auto const&) {
      int hits = 0;
      for (int k = begin; k < end; ++k) hits += squared(k) <= cutoff_squared ? 1 : 0;
      found += static_cast<std::size_t>(hits);
    });
    return found - 1;
  }

 private:
  // body(begin, end, k -> r2, k -> image) for each run of candidates of particle i.
  template <class Body>
  KOKKOS_FUNCTION void walk(std::int64_t i, Body const& body) const {
    Real const xi = wrapped[3 * i], yi = wrapped[3 * i + 1], zi = wrapped[3 * i + 2];
    image const mine = images == nullptr ? image(0, 0, 0) : images[i];
    int const cx = grid.coordinate(shifted(limits, xi, mine, 0), 0);
    int const cy = grid.coordinate(shifted(limits, yi, mine, 1), 1);
    int const cz = grid.coordinate(shifted(limits, zi, mine, 2), 2);
    for (int z_at = cz - 1; z_at <= cz + 1; ++z_at) {
      int cell_z, image_z;
      if (!enter(z_at, 2, cell_z, image_z)) continue;
      for (int y_at = cy - 1; y_at <= cy + 1; ++y_at) {
        int cell_y, image_y;
        if (!enter(y_at, 1, cell_y, image_y)) continue;
        int const row = grid.index(0, cell_y, cell_z);
        int const last = grid.cells[0] - 1;
        if (grid.wraps[0] && cx == 0) run(xi, yi, zi, row + last, row + last, image(-1, image_y, image_z), body);
        run(xi, yi, zi, row + Kokkos::max(cx - 1, 0), row + Kokkos::min(cx + 1, last), image(0, image_y, image_z), body);
        if (grid.wraps[0] && cx == last) run(xi, yi, zi, row, row, image(1, image_y, image_z), body);
      }
    }
  }

  // The cell that coordinate `at` means, and the image it is in; false outside an open direction.
  KOKKOS_FUNCTION bool enter(int at, int d, int& cell, int& image_component) const {
    image_component = at < 0 ? -1 : at >= grid.cells[d] ? 1 : 0;
    cell = at - image_component * grid.cells[d];
    return image_component == 0 || grid.wraps[d];
  }

  template <class Body>
  KOKKOS_FUNCTION void run(Real xi, Real yi, Real zi, int first_cell, int last_cell, image shift, Body const& body) const {
    int const begin = starts[first_cell];
    int const end = starts[last_cell + 1];
    if (sorted_images == nullptr) {
      Real const sx = limits.shift(shift.x(), 0), sy = limits.shift(shift.y(), 1), sz = limits.shift(shift.z(), 2);
      auto const squared = [=, this](int k) { return length_squared((x[k] - xi) + sx, (y[k] - yi) + sy, (z[k] - zi) + sz); };
      body(begin, end, squared, [=](int) { return shift; });
    } else {
      auto const squared = [=, this](int k) {
        image const im = sorted_images[k];
        return length_squared((x[k] - xi) + limits.shift(im.x(), 0), (y[k] - yi) + limits.shift(im.y(), 1),
                              (z[k] - zi) + limits.shift(im.z(), 2));
      };
      body(begin, end, squared, [this](int k) { return sorted_images[k]; });
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static Real length_squared(Real dx, Real dy, Real dz) {
    return Kokkos::fma(dz, dz, Kokkos::fma(dy, dy, dx * dx));
  }

  // Candidates begin .. end-1. About one in seven is a neighbour, at random, so on CPUs a branch for each costs more than
  // its distance: distances are computed block by block (vectorised), hits become bits of a word, and only they are
  // visited. Emission for 256,000 particles at 78 neighbours on one core of a Xeon (model 143, AVX2, 2026-11-21): bits
  // 0.27 s, indices collected without a branch 0.36 s, a branch a candidate about 0.6 s.
  template <class Squared, class ImageOf, class Visitor>
  KOKKOS_FORCEINLINE_FUNCTION void visit_hits(std::int64_t i, int begin, int end, Squared const& squared,
                                            ImageOf const& image_of, Visitor const& visit) const {
    auto const accept = [&](int k) {
      int const j = order[k];
      image const im = image_of(k);
      if (j != i || !(im == image(0, 0, 0))) visit(j, im);
    };
    KOKKOS_IF_ON_HOST((
      constexpr int block = 64;
      Real r2[block];
      for (int first = begin; first < end; first += block) {
        int const n = end - first < block ? end - first : block;
        for (int k = 0; k < n; ++k) r2[k] = squared(first + k);
        std::uint64_t hits = 0;
        for (int k = 0; k < n; ++k) hits |= static_cast<std::uint64_t>(r2[k] <= cutoff_squared) << k;
        for (; hits != 0; hits &= hits - 1) accept(first + Kokkos::countr_zero(hits));
      }))
    KOKKOS_IF_ON_DEVICE((
      for (int k = begin; k < end; ++k)
        if (squared(k) <= cutoff_squared) accept(k);))
  }
};

/// The search as a functor of pack_lists. `Record` is what a list stores of a pair.
template <class Real, class Record>
struct emit_neighbors {
  neighbor_search<Real> search;

  struct to_emitter {
    emitter<Record> const& emit;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int j, image shift) const {
      if constexpr (std::is_same_v<Record, int>) emit(j);
      else emit(Record{j, shift});
    }
  };

  KOKKOS_FUNCTION void operator()(std::int64_t i, emitter<Record> const& emit) const {
    if (emit.counts_only()) emit.add(search.count(i));
    else search.for_each(i, to_emitter{emit});
  }
};

}  // namespace upsweep::detail
