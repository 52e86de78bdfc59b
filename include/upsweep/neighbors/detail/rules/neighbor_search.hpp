// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/grid/binned_particles.hpp>
#include <upsweep/neighbors/detail/rules/nearest_hits.hpp>
#include <upsweep/neighbors/detail/rules/pair_rules.hpp>
#include <upsweep/pack/emitter.hpp>

#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// A pair as the plain builder packs it when the images of pairs are asked for.
struct imaged_neighbor {
  int index;
  image shift;
};

/// The neighbours of one particle, one candidate after the other, in the order of the list's rows: the plain search,
/// and the oracle of the others.
template <class Real, class Systems = one_system<Real>>
struct neighbor_search {
  binned_particles<Real, Systems> particles;
  pair_rules<Real> rules;

  /// visit(hit) for each neighbour of particle i.
  template <class Visitor>
  KOKKOS_FUNCTION void operator()(std::int64_t i, Visitor const& visit) const {
    auto const& p = particles;
    int const own = p.place_of[i];
    Real const xi = p.x[own], yi = p.y[own], zi = p.z[own];
    auto const system = p.system_of(i);
    auto const& sim_box = p.box_of(system);
    int const cell = p.cell_of[i];
    for (int g = 0; g < p.grids_of(system); ++g) {
      auto const near = p.candidates_in(g, {system, cell, cell});
      for (int r = 0; r < near.count(); ++r) {
        candidate_run const run = near(r);
        auto s = sim_box.shift(run.shift);
        for (int k = run.begin; k < run.end; ++k) {
          image const im = p.image_of(run, k);
          if (p.images != nullptr) s = sim_box.shift(im);
          Real const r2 = p.length_squared((p.x[k] - xi) + s[0], (p.y[k] - yi) + s[1], (p.z[k] - zi) + s[2]);
          if (!(r2 <= p.cutoff_squared)) continue;
          if (k == own && im == image(0, 0, 0)) continue;
          if (rules(own, k, im, r2)) visit(row_hit<Real>{r2, k, im});
        }
      }
    }
  }
};

/// The search as a functor of pack_lists. `Record` is what a list stores of a pair.
template <class Real, class Record, class Systems = one_system<Real>>
struct emit_neighbors {
  neighbor_search<Real, Systems> search;

  struct to_emitter {
    binned_particles<Real, Systems> const& particles;
    emitter<Record> const& emit;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(row_hit<Real> const& hit) const {
      int const j = particles.order[hit.place] - particles.first_candidate;
      if constexpr (std::is_same_v<Record, int>) emit(j);
      else emit(Record{j, hit.shift});
    }
  };

  KOKKOS_FUNCTION void operator()(std::int64_t i, emitter<Record> const& emit) const {
    search(i, to_emitter{search.particles, emit});
  }
};

}  // namespace upsweep::neighbors::detail
