// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_hits.hpp>
#include <upsweep/neighbors/detail/masks/gpu/nearest_in_warp.hpp>
#include <upsweep/neighbors/detail/pairs/pair_slots.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// How much room keep_nearest_gpu has. Each step leaves what is too much for it to the next one.
struct few_hits {
  static constexpr std::uint64_t step = 0;
  static constexpr int window = 1024;               ///< candidates of a group
  static constexpr int short_items = 4, items = 8;  ///< hits of a row that a lane has
  static constexpr int resident_teams = 16;
};
struct many_hits {
  static constexpr std::uint64_t step = 1;
  static constexpr int window = 1536;
  static constexpr int short_items = 4, items = 12;
  static constexpr int resident_teams = 15;
};

/// One team per group: clears the bits of all but the nearest hits in rows that have more than the pass lets them have,
/// and says so in the counts of all rows. The team's warps put the candidates of the group to scratch, then each warp
/// takes one row after the other: it notes the row's hits, whose distances come into registers (nearest_in_warp.hpp).
///
/// Rows of more hits than most_hits, and groups of more candidates than window, are left to the next step: few_hits,
/// many_hits, keep_nearest_in_lanes (hit_masks::step_left). If the memory did not hold the masks of all groups, all are
/// left: they are made again.
///
/// H100, the 32 nearest of 78 neighbours for each of 1 M particles in double, this step alone, with 1,024 candidates
/// and 256 hits, ms: 11.7 in lanes; 1.07 with 2 warps, 1.17 with 4 warps, 1.19 and 1.35 with coordinates of 640 and
/// 1,024 candidates in scratch, too, 1.28 with a byte in scratch for each candidate that is kept and ballots of these
/// in place of the atomics. Whole builds: 2.83 ms where the last step had a team for each group, of which each copies
/// its parameters before it sees that nothing is left, 0.6 ms in all; 2.27 since then (2026-11-28).
///
/// Pre: pass.warps_per_group is `warps`.
template <class Real, bool Classes, class Systems, class Room, class Lanes = warp_lanes>
struct keep_nearest_gpu {
  mask_pass<Real, Systems> pass;
  row_counts rows;
  bool is_first;  ///< of the steps

  static constexpr int warps = 2;
  static constexpr int resident_teams = Room::resident_teams;
  static constexpr int window = Room::window, short_items = Room::short_items, items = Room::items;
  static constexpr int most_hits = items * Lanes::size;

  struct warp_scratch {
    std::uint32_t kept[window / 32];  ///< words of a row
    std::uint16_t noted[most_hits];   ///< its hits: candidates
  };
  struct scratch {
    warp_scratch of_warp[warps];
    int own[Lanes::size];  ///< the places of the particles that have the rows
    int place[window];     ///< of the candidates
    image shift[window];
  };
  static constexpr std::size_t scratch_bytes = sizeof(scratch) + 16;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    if (!is_first && *pass.masks.step_left < Room::step) return;
    scratch& s = *static_cast<scratch*>(member.team_scratch(0).get_shmem_aligned(sizeof(scratch), 16));
    for (std::int64_t group = pass.first_group + member.league_rank(); pass.has(group); group += member.league_size()) {
      limit_group(member, group, s);
      member.team_barrier();  // before the next group's candidates
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void leave() const { Kokkos::atomic_store(pass.masks.step_left, Room::step + 1); }

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void limit_group(Member const& member, std::int64_t group, scratch& s) const {
    int const warp = member.team_rank() / Lanes::size, lane = member.team_rank() - warp * Lanes::size;
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], end = pass.groups[group + 1];
    int const place = first + lane < end ? pass.place_of_slot(first + lane) : first;
    int const i = first + lane < end ? p.order[place] : p.rows;
    auto const which = Lanes::ballot(i < p.rows);
    int const count = Lanes::popcount(which);
    if (count == 0) return;
    if (warp == 0 && i < p.rows) {
      s.own[Lanes::popcount_below(which, lane)] = place;
      if (is_first && rows.counts != nullptr && rows.counts[i] > pass.search.rules.most_in_row)
        rows.counts[i] = pass.search.rules.most_in_row;
    }
    if (*pass.masks.used > pass.masks.capacity) return;
    known_group g{.system = pass.system_at(first), .words = pass.masks.of(group), .stride = count};
    bool const fits = gather(first, end, warp, lane, s, g);
    member.team_barrier();
    if (!fits) {
      if (member.team_rank() == 0) leave();
      return;
    }
    for (int row = warp; row < count; row += warps) limit(row, g, lane, s, s.of_warp[warp]);
  }

  /// What a lane knows of the group.
  struct known_group {
    typename Systems::name system;
    std::uint32_t* words;  ///< as count_hits_gpu leaves them; after gather() the hits
    int stride;            ///< rows
    int candidates = 0;
    bool shifted = false;  ///< whether some candidate may be
  };

  /// The candidates into scratch, in the order of the words of hits. False where they are too many.
  KOKKOS_FORCEINLINE_FUNCTION bool gather(int first, int end, int warp, int lane, scratch& s, known_group& g) const {
    auto const& p = pass.search.particles;
    auto const blocks = static_cast<int>(*g.words++);
    warp_runs<Real, Systems, Classes, Lanes> const runs(p, pass.cells_of(first, end), lane);
    g.shifted = p.images != nullptr;
    int fill = 0, block = 0;
    std::uint32_t own = 0;
    runs.for_each([&](candidate_run const& run, Real) {
      for (int from = run.begin; from < run.end; from += Lanes::size, ++block) {
        if (block % Lanes::size == 0) own = block + lane < blocks ? g.words[block + lane] : 0;
        std::uint32_t const which = Lanes::shuffle(own, block % Lanes::size);
        int const at = fill;
        fill += Lanes::popcount(which);
        if (fill > window || block % warps != warp) continue;
        if (which >> lane & 1) {
          int const to = at + Lanes::popcount_below(which, lane), k = from + lane;
          s.place[to] = k;
          s.shift[to] = p.image_of(run, k);
        }
      }
      if (!(run.shift == image(0, 0, 0))) g.shifted = true;
    });
    g.words += blocks;
    g.candidates = fill;
    return fill <= window;
  }

  static constexpr int words_each = internal::divide_up(window / 32, Lanes::size);  ///< of a row, that a lane has
  static constexpr int unrolled = 4;                                                ///< words
  static_assert(window / 32 % unrolled == 0 && Lanes::size % unrolled == 0);

  /// Leaves the nearest hits of a row.
  KOKKOS_FORCEINLINE_FUNCTION void limit(int row, known_group const& g, int lane, scratch const& s,
                                         warp_scratch& w) const {
    std::size_t const most_in_row = pass.search.rules.most_in_row;
    std::uint32_t* const words = g.words + row;
    int const count = internal::divide_up(g.candidates, 32);
    std::uint32_t own[words_each], hits = 0;
    UPSWEEP_UNROLL
    for (int u = 0; u < words_each; ++u) {
      int const k = u * Lanes::size + lane;
      own[u] = k < count ? words[k * g.stride] : 0;
      hits += static_cast<std::uint32_t>(Lanes::popcount(own[u]));
      if (k < window / 32) w.kept[k] = 0;
    }
    int const n = static_cast<int>(Lanes::reduce_sum(hits));
    if (static_cast<std::size_t>(n) <= most_in_row) return;
    if (n > most_hits) {
      if (lane == 0) leave();
      return;
    }
    int at = 0;
    UPSWEEP_UNROLL
    for (int u = 0; u < words_each; ++u) note(own[u], u * Lanes::size, count, at, lane, w);
    Lanes::sync();
    int const wanted = static_cast<int>(most_in_row);
    if (n <= short_items * Lanes::size) choose<short_items>(n, wanted, s.own[row], g, lane, s, w);
    else choose<items>(n, wanted, s.own[row], g, lane, s, w);
    Lanes::sync();
    for (int k = lane; k < count; k += Lanes::size) words[k * g.stride] = w.kept[k];
  }

  /// The candidates whose bits are set, in order, of words from `first` on, of which each lane has one.
  KOKKOS_FORCEINLINE_FUNCTION static void note(std::uint32_t own, int first, int count, int& at, int lane,
                                               warp_scratch& w) {
    int const words = Kokkos::min(count - first, int(Lanes::size));
    UPSWEEP_NO_UNROLL
    for (int k = 0; k < words; k += unrolled) {
      UPSWEEP_UNROLL
      for (int u = 0; u < unrolled; ++u) {
        std::uint32_t const word = Lanes::shuffle(own, k + u);
        if (word >> lane & 1)
          w.noted[at + Lanes::popcount_below(word, lane)] = static_cast<std::uint16_t>((first + k + u) * 32 + lane);
        at += Lanes::popcount(word);
      }
    }
  }

  template <int Items>
  KOKKOS_FORCEINLINE_FUNCTION void choose(int n, int wanted, int own, known_group const& g, int lane, scratch const& s,
                                          warp_scratch& w) const {
    auto const& p = pass.search.particles;
    Real const x = p.x[own], y = p.y[own], z = p.z[own];
    auto const hit_of = [&](int k) {
      int const c = w.noted[k], place = s.place[c];
      Real dx = p.x[place] - x, dy = p.y[place] - y, dz = p.z[place] - z;
      image shift(0, 0, 0);
      if (g.shifted) {
        shift = s.shift[c];
        auto const by = p.box_of(g.system).shift(shift);
        dx += by[0], dy += by[1], dz += by[2];
      }
      return row_hit<Real>{p.length_squared(dx, dy, dz), place, shift};
    };
    std::uint32_t const chosen =
        nearest_in_warp<Real, Items, Lanes>::choose({pass.search.rules}, hit_of, n, wanted, p.cutoff_squared, lane);
    UPSWEEP_UNROLL
    for (int r = 0; r < Items; ++r) {
      if ((chosen >> r & 1) == 0) continue;
      int const c = w.noted[r * Lanes::size + lane];
      Kokkos::atomic_or(&w.kept[c / 32], std::uint32_t(1) << c % 32);
    }
  }
};

}  // namespace upsweep::neighbors::detail
