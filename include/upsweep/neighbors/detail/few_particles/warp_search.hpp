// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/few_particles/few_particles_slots.hpp>
#include <upsweep/neighbors/detail/pairs/lane_runs.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// A part of a row: of the words of its candidates.
struct row_part {
  int number, of;
};

/// The neighbours of a part of a row among its candidates: how many, and bits of the first candidates.
template <class Lanes>
struct row_hits {
  std::size_t count = 0;
  row_part part = {0, 1};
  bool are_kept = false;               ///< whether what follows says all
  lane_runs<Lanes> runs;               ///< of the candidates
  typename Lanes::mask words[2] = {};  ///< the lane's word of bits, of the first words, and of as many behind them
};

/// The neighbours of one particle, looked for by the lanes of a warp together. Candidates are looked at word by word:
/// a word has one for each lane, and a chunk has a word for each.
template <class Lanes, class Real, class Systems>
struct warp_search {
  using mask = typename Lanes::mask;
  using hits_type = row_hits<Lanes>;
  using runs_type = lane_runs<Lanes>;
  using grid_type = grid_geometry<Real>;

  neighbor_search<Real, Systems> search;

  /// The neighbours of particle i, counted, and kept where there is room.
  KOKKOS_FUNCTION hits_type count(grid_type const& grid, int i, row_part part, int lane) const {
    hits_type found;
    auto const near = candidates(grid, i);
    found.part = part_of(near, part);
    bool const is_plain =
        !search.rules.limits_distances() && !search.rules.limits_ids() && search.particles.images == nullptr;
    int words = 0;
    UPSWEEP_NO_UNROLL
    for (int first = 0; first < near.count(); first += Lanes::size) {
      found.runs = {run_of(near, first + lane), lane};
      auto const mine = range_of(found.runs, found.part);
      words = mine.end - mine.begin;
      UPSWEEP_NO_UNROLL
      for (int chunk = mine.begin; chunk < mine.end; chunk += chunk_size) {
        int const end = Kokkos::min(mine.end, chunk + chunk_size);
        mask const hits =
            is_plain ? find<true, 4>(i, found.runs, chunk, end, lane) : find<false, 1>(i, found.runs, chunk, end, lane);
        found.count += Lanes::reduce_sum(static_cast<std::uint32_t>(Lanes::popcount(hits)));
        if (chunk == mine.begin) found.words[0] = hits;
        if (chunk == mine.begin + chunk_size) found.words[1] = hits;
      }
    }
    found.are_kept = near.count() <= Lanes::size && words <= 2 * chunk_size;
    return found;
  }

  /// Writes them from slot `next` on.
  KOKKOS_FUNCTION void write(grid_type const& grid, int i, int lane, hits_type const& found,
                             few_particles_slots<Real> const& to, std::size_t next) const {
    int const own = search.particles.place_of[i];
    if (found.are_kept) {
      auto const mine = range_of(found.runs, found.part);
      UPSWEEP_NO_UNROLL
      for (int chunk = mine.begin; chunk < mine.end; chunk += chunk_size)
        write_hits(found.runs, chunk == mine.begin ? found.words[0] : found.words[1], chunk, lane, own, to, next);
      return;
    }
    auto const near = candidates(grid, i);
    UPSWEEP_NO_UNROLL
    for (int first = 0; first < near.count(); first += Lanes::size) {
      runs_type const runs(run_of(near, first + lane), lane);
      auto const mine = range_of(runs, found.part);
      UPSWEEP_NO_UNROLL
      for (int chunk = mine.begin; chunk < mine.end; chunk += chunk_size) {
        int const end = Kokkos::min(mine.end, chunk + chunk_size);
        write_hits(runs, find<false, 1>(i, runs, chunk, end, lane), chunk, lane, own, to, next);
      }
    }
  }

 private:
  static constexpr int chunk_size = Lanes::size * Lanes::size;
  using candidate = typename runs_type::candidate;

  KOKKOS_FORCEINLINE_FUNCTION grid_candidates<Real> candidates(grid_type const& grid, int i) const {
    auto const& p = search.particles;
    return {grid, p.candidates, {grid, p.cell_of[i]}, grid.near_squared};
  }
  KOKKOS_FORCEINLINE_FUNCTION static candidate_run run_of(grid_candidates<Real> const& near, int r) {
    return r < near.count() ? near(r) : candidate_run{0, 0, image(0, 0, 0)};
  }

  /// A part that the warp can have: where there are more runs than lanes, the first part is all, so that the row stays
  /// in order.
  KOKKOS_FORCEINLINE_FUNCTION static row_part part_of(grid_candidates<Real> const& near, row_part part) {
    if (part.of == 1 || near.count() <= Lanes::size) return part;
    return part.number == 0 ? row_part{0, 1} : row_part{0, 0};
  }
  /// Candidates by their numbers.
  struct range {
    int begin, end;
  };
  /// Those of a part, in whole words.
  KOKKOS_FORCEINLINE_FUNCTION static range range_of(runs_type const& runs, row_part part) {
    if (part.of == 1) return {0, runs.all};
    if (part.of == 0) return {0, 0};
    int const words = internal::divide_up(runs.all, Lanes::size);
    return {words * part.number / part.of * Lanes::size,
            Kokkos::min(words * (part.number + 1) / part.of * Lanes::size, runs.all)};
  }

  /// The lane's word of a chunk that ends at `last`: which of these candidates are neighbours. Plain: the cutoff alone
  /// decides. Words whose candidates are loaded together: loads take longer than all else, but a kernel that has little
  /// to do takes long to load its own code, too.
  template <bool Plain, int Together>
  KOKKOS_FORCEINLINE_FUNCTION mask find(int i, runs_type const& runs, int chunk, int last, int lane) const {
    auto const& p = search.particles;
    auto const& sim_box = p.box_of(p.system_of(i));
    int const own = p.place_of[i], own_number = runs.number_of(own);
    Real const xi = p.x[own], yi = p.y[own], zi = p.z[own];
    auto const shift = sim_box.shift(runs.shift);
    int before = runs.begun_before(chunk) - 1;  // the run before those that begin with the next candidates
    mask kept = 0;
    UPSWEEP_NO_UNROLL
    for (int from = chunk; from < last; from += Together * Lanes::size) {
      int place[Together], of[Together];
      Real x[Together], y[Together], z[Together];
      UPSWEEP_UNROLL
      for (int u = 0; u < Together; ++u) {
        int const word = from + u * Lanes::size;
        mask const beginning = runs.beginning_in(word);
        of[u] = before + Lanes::popcount(static_cast<mask>(beginning << (Lanes::size - 1 - lane)));
        before += Lanes::popcount(beginning);
        int const there = word + lane + Lanes::shuffle(runs.to_place, of[u]);
        place[u] = word + lane < last ? there : own;
        x[u] = p.x[place[u]], y[u] = p.y[place[u]], z[u] = p.z[place[u]];
      }
      UPSWEEP_UNROLL
      for (int u = 0; u < Together; ++u) {
        int const word = from + u * Lanes::size, number = word + lane;
        typename box<Real>::vector s{Lanes::shuffle(shift[0], of[u]), Lanes::shuffle(shift[1], of[u]),
                                     Lanes::shuffle(shift[2], of[u])};
        image im = image(0, 0, 0);
        if constexpr (!Plain) {
          im = Lanes::shuffle(runs.shift, of[u]);
          if (p.images != nullptr) s = sim_box.shift(im = p.images[place[u]]);
        }
        Real const r2 = p.length_squared((x[u] - xi) + s[0], (y[u] - yi) + s[1], (z[u] - zi) + s[2]);
        bool hit = number < last && number != own_number && r2 <= p.cutoff_squared;
        if constexpr (!Plain) hit = hit && search.rules(own, place[u], im, r2);
        mask const hits = Lanes::ballot(hit);
        if (word == chunk + lane * Lanes::size) kept = hits;
      }
    }
    return kept;
  }

  /// Writes the neighbours of a chunk from slot `next` on, and counts them there. Lanes have a hit each: the one with
  /// the lane's number, as the bits of all lanes count them.
  KOKKOS_FORCEINLINE_FUNCTION void write_hits(runs_type const& runs, mask word, int chunk, int lane, int own,
                                              few_particles_slots<Real> const& to, std::size_t& next) const {
    int const through = internal::scan_lanes<Lanes>(plus<int>{}, Lanes::popcount(word), lane);
    int const hits = Lanes::shuffle(through, Lanes::size - 1);
    UPSWEEP_NO_UNROLL
    for (int first = 0; first < hits; first += Lanes::size) {
      int const hit = first + lane, of = first_lane_above<Lanes>(hit, through);
      mask const bits = Lanes::shuffle(word, of);
      int const before = Lanes::shuffle(through, of) - Lanes::popcount(bits);
      int const bit = hit < hits ? nth_set_bit<Lanes>(bits, hit - before) : 0;
      auto const c = runs[chunk + of * Lanes::size + bit];
      if (hit < hits) write_pair(to, next + static_cast<std::size_t>(hit), own, c);
    }
    next += static_cast<std::size_t>(hits);
  }

  KOKKOS_FORCEINLINE_FUNCTION void write_pair(few_particles_slots<Real> const& to, std::size_t at, int own,
                                              candidate const& c) const {
    auto const& p = search.particles;
    image const im = p.images == nullptr ? c.shift : p.images[c.place];
    to.neighbors[at] = p.order[c.place] - p.first_candidate;
    if (to.images != nullptr) to.images[at] = im;
    if (to.values.any()) store_pair(to.values, at, p, own, c.place, im);
  }
};

}  // namespace upsweep::neighbors::detail
