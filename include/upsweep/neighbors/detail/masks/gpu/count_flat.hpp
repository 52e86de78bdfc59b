// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/masks/gpu/group_filter.hpp>
#include <upsweep/neighbors/detail/masks/gpu/hit_rules.hpp>
#include <upsweep/neighbors/detail/masks/gpu/lane_ids.hpp>
#include <upsweep/neighbors/detail/masks/gpu/rule_filter.hpp>
#include <upsweep/neighbors/detail/masks/hit_masks.hpp>
#include <upsweep/neighbors/detail/pairs/lane_runs.hpp>
#include <upsweep/neighbors/detail/pairs/pair_visitor.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

using internal::warp_lanes;

/// The candidates of a group in one flat numbering through all of its runs: lane k knows run k.
/// Pre: the group has at most as many runs as a warp has lanes.
template <class Real, class Systems, class Lanes>
KOKKOS_FORCEINLINE_FUNCTION lane_runs<Lanes> number_candidates(binned_particles<Real, Systems> const& particles,
                                                               group_cells<Systems> const& cells, int lane) {
  auto const near = particles.candidates_in_one_grid(cells);
  return {lane < near.count() ? near(lane) : candidate_run{0, 0, image(0, 0, 0)}, lane};
}

/// One warp per group: counts the neighbours of each particle and keeps the hits, where the candidates of a group are
/// few: they are numbered through all runs, 32 of them are a word, and none is left out beforehand. A lane holds a
/// candidate of some words, the particles of the group pass by one after the other, and ballots are words of the mask.
///
/// Distances are single precision (distance_filter.hpp); where one is too close to the cutoff, the words that the lanes
/// hold are tested again as a list defines distances.
///
/// Words of a group: for each 32 candidates one word per particle. Where groups are few, the warps of a team share one:
/// each tests a share of the words, and the first adds up what they have found (mask_pass::warps_per_group).
///
/// Rules: of pairs, without images. The filter decides about most of them, too (rule_filter.hpp).
///
/// Visitor: of for_each_pair. Each lane hands it the hits of its own particle, in the row's order; candidates are named
/// in scratch where a group has hits.
template <class Real, class Systems, class Lanes = warp_lanes, int Resident = 8, class Visitor = no_visitor,
          hit_rules Rules = hit_rules::none>
struct count_flat_gpu {
  mask_pass<Real, Systems> pass;
  row_counts rows;
  bool keep;
  Visitor visitor = {};

  static constexpr bool visits = visits_pairs<Visitor>;
  static constexpr bool by_id = look_at_ids(Rules);
  static constexpr bool by_distance = look_at_distances(Rules);
  static constexpr bool has_rules = by_id || by_distance;

  static constexpr int warps = 4;
  static constexpr int resident_teams = Resident;
  static constexpr int most_words = 4;  ///< that lanes hold a candidate of

  using filter_type = group_filter<Lanes>;
  using point = typename filter_type::point;
  using rule_filter_type = rule_filter<Real, Lanes, by_id, by_distance>;
  struct scratch_of_points {
    point at[Lanes::size];
  };
  struct scratch : std::conditional_t<has_rules, typename rule_filter_type::scratch, scratch_of_points> {
    int particle[Lanes::size];
    int place[Lanes::size];
    int count[Lanes::size];  ///< neighbours among the candidates of the warp's share
    std::uint32_t* words;    ///< of the group
    int index[visits ? most_words * Lanes::size : 1];
    image shift[visits && Visitor::takes_image ? most_words * Lanes::size : 1];
    lane_ids<Real> ids[by_id ? Lanes::size : 1];         ///< of the group's particles
    std::int64_t candidate_id[by_id ? Lanes::size : 1];  ///< of one word
    int candidate_place[by_id ? Lanes::size : 1];
    image candidate_shift[by_id ? Lanes::size : 1];
  };
  static constexpr std::size_t scratch_bytes = warps * sizeof(scratch) + 16;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const rank = member.team_rank(), warp = rank / Lanes::size, lane = rank % Lanes::size;
    auto* const all = static_cast<scratch*>(member.team_scratch(0).get_shmem_aligned(warps * sizeof(scratch), 16));
    std::int64_t const group =
        pass.first_group + (static_cast<std::int64_t>(member.league_rank()) * warps + warp) / pass.warps_per_group;
    int const share = warp % pass.warps_per_group;
    scratch& s = all[warp];
    scratch* const of_group = all + (warp - share);
    known mine;
    runs_type runs;
    bool const has = pass.has(group) && gather(group, lane, s, mine);
    if (has) runs = number(group, lane, s, mine);
    int const words = (runs.all + Lanes::size - 1) / Lanes::size;
    if (has && share == 0 && lane == 0) s.words = take(group, words, mine);
    wait(member);
    if (has) {
      mine.words = of_group->words;
      int const word = words * share / pass.warps_per_group, last = words * (share + 1) / pass.warps_per_group;
      test_all(runs, word, last, lane, s, mine);
      if constexpr (by_id) remove_excluded(runs, word, last, lane, s, mine);
      s.count[lane] = mine.count;
    }
    if (pass.warps_per_group > 1) wait(member);
    if (!has || share != 0) return;
    for (int k = 1; k < pass.warps_per_group; ++k) mine.count += of_group[k].count[lane];
    report(lane, s, mine);
  }

 private:
  using runs_type = lane_runs<Lanes>;
  using vector = typename box<Real>::vector;
  using rules_type = pair_rules<Real>;
  using limits = typename rules_type::limits;
  struct no_rules {};

  /// What a lane knows of the group.
  struct known {
    typename Systems::name system;
    int particles;   ///< of the group that have rows
    Real origin[3];  ///< near the group
    float reach;     ///< of particles from there, at most
    bool shifted;    ///< whether some run is
    int own_number;  ///< of the lane's particle among the candidates, or below 0
    std::uint32_t* words;
    int count;  ///< neighbours of the lane's particle
    std::conditional_t<has_rules, typename rule_filter_type::group, no_rules> ruled;
  };

  /// For the warps that share a group.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void wait(Member const& member) const {
    if (pass.warps_per_group == 1) Lanes::sync();
    else member.team_barrier();
  }

  /// The candidates, and what a lane knows of them.
  KOKKOS_FORCEINLINE_FUNCTION runs_type number(std::int64_t group, int lane, scratch const& s, known& mine) const {
    int const first = pass.groups[group], end = pass.groups[group + 1];
    runs_type const runs =
        number_candidates<Real, Systems, Lanes>(pass.search.particles, pass.cells_of(first, end), lane);
    mine.shifted = Lanes::ballot(runs.has_any() && !(runs.shift == image(0, 0, 0))) != 0;
    int const number = runs.number_of(first);
    mine.own_number = number < 0 || lane >= mine.particles ? -1 : number + (s.place[lane] - first);
    return runs;
  }
  /// By one lane: memory for a group's words, if they are kept.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* take(std::int64_t group, int words, known const& mine) const {
    if (!keep) return nullptr;
    return pass.masks.take(group, static_cast<std::uint64_t>(words) * static_cast<std::uint64_t>(mine.particles));
  }

  /// Tests the candidates of words from `word` to `last`.
  KOKKOS_FORCEINLINE_FUNCTION void test_all(runs_type const& runs, int word, int last, int lane, scratch& s,
                                            known& mine) const {
    flat_words<Lanes> walk(runs, word);
    UPSWEEP_NO_UNROLL
    for (; word + most_words <= last; word += most_words) test<most_words>(runs, walk, word, lane, s, mine);
    switch (last - word) {
      case 1: test<1>(runs, walk, word, lane, s, mine); break;
      case 2: test<2>(runs, walk, word, lane, s, mine); break;
      case 3: test<3>(runs, walk, word, lane, s, mine); break;
      default: break;
    }
  }

  /// The group's particles with rows into scratch, and one more that is near nothing. False where there are none.
  KOKKOS_FORCEINLINE_FUNCTION bool gather(std::int64_t group, int lane, scratch& s, known& mine) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], end = pass.groups[group + 1];
    mine.system = pass.system_at(first);
    mine.count = 0;
    mine.words = nullptr;
    int const place = first + lane;
    bool const is_there = place < end;
    int const at_place = is_there ? place : first;
    int const i = is_there ? p.order[place] : p.rows;
    Real const x[3] = {p.x[at_place], p.y[at_place], p.z[at_place]};
    auto const which = Lanes::ballot(i < p.rows);
    mine.particles = Lanes::popcount(which);
    if (mine.particles == 0) return false;
    // Cells of a group are side by side: between its ends it has its middle.
    int const last = end - 1 - first;
    UPSWEEP_UNROLL
    for (int d = 0; d < 3; ++d) {
      Real const a = Lanes::shuffle(x[d], 0), b = Lanes::shuffle(x[d], last);
      mine.origin[d] = a + (b - a) / 2;
    }
    float from[3];
    UPSWEEP_UNROLL
    for (int d = 0; d < 3; ++d) from[d] = static_cast<float>(x[d] - mine.origin[d]);
    float const square = filter_type::square_of(from);
    mine.reach = filter_type::reach_of(square);
    if constexpr (has_rules) {
      rule_filter_type::gather(pass.search.rules, p.cutoff_squared, which, at_place, square,
                               point::of(from, square, static_cast<double>(p.cutoff_squared)), lane, s, mine.ruled);
    } else if (lane >= mine.particles) {
      s.at[lane] = point::none();
    }
    if (i < p.rows) {
      int const at = Lanes::popcount_below(which, lane);
      if constexpr (!has_rules) s.at[at] = point::of(from, square, static_cast<double>(p.cutoff_squared));
      s.particle[at] = i;
      s.place[at] = place;
      if constexpr (by_id) s.ids[at] = lane_ids<Real>::of(pass.search.rules, place);
    }
    Lanes::sync();
    if constexpr (has_rules) rule_filter_type::find_own(mine.particles, lane, s, mine.ruled);
    return true;
  }

  /// Tests the candidates of N words from `word` on.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void test(runs_type const& runs, flat_words<Lanes>& walk, int word, int lane, scratch& s,
                                        known& mine) const {
    std::uint32_t hits[N] = {};
    bool halved = false;
    if (!filter<N>(runs, walk, word, lane, s, mine, halved, hits)) {
      halved = false;
      UPSWEEP_UNROLL
      for (int u = 0; u < N; ++u) hits[u] = compare(runs, word + u, lane, s, mine);
    }
    UPSWEEP_UNROLL
    for (int u = 0; u < N; ++u) {
      int const own = mine.own_number - (word + u) * Lanes::size;
      if (own >= 0 && own < Lanes::size) hits[u] &= ~(std::uint32_t(1) << own);
    }
    if constexpr (by_id) {
      auto const& rules = pass.search.rules;
      if ((rules.half && !halved) || (rules.excluded_offsets != nullptr && !finds_excluded(mine))) {
        UPSWEEP_UNROLL
        for (int u = 0; u < N; ++u) hits[u] = allowed(runs, word + u, hits[u], lane, s, mine);
      }
    }
    if (lane < mine.particles) {
      UPSWEEP_UNROLL
      for (int u = 0; u < N; ++u) {
        mine.count += Lanes::popcount(hits[u]);
        if (mine.words != nullptr) mine.words[(word + u) * mine.particles + lane] = hits[u];
      }
    }
    if constexpr (visits) visit<N>(runs, word, lane, s, mine, hits);
  }

  /// Hands the visitor the hits of N words.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void visit(runs_type const& runs, int word, int lane, scratch& s, known const& mine,
                                         std::uint32_t const (&hits)[N]) const {
    std::uint32_t any = 0;
    UPSWEEP_UNROLL
    for (int u = 0; u < N; ++u) any |= hits[u];
    // Bits of lanes without a particle are no hits.
    if (Lanes::ballot(lane < mine.particles && any != 0) == 0) return;
    auto const& p = pass.search.particles;
    UPSWEEP_UNROLL
    for (int u = 0; u < N; ++u) {
      int const number = (word + u) * Lanes::size + lane;
      auto const candidate = runs[number < runs.all ? number : 0];
      s.index[u * Lanes::size + lane] = p.order[candidate.place] - p.first_candidate;
      if constexpr (Visitor::takes_image) s.shift[u * Lanes::size + lane] = candidate.shift;
    }
    Lanes::sync();
    if (lane < mine.particles) {
      int const i = s.particle[lane];
      UPSWEEP_UNROLL
      for (int u = 0; u < N; ++u) {
        for (std::uint32_t bits = hits[u]; bits != 0; bits &= bits - 1) {
          int const at = u * Lanes::size + Lanes::lowest_set_bit(bits);
          if constexpr (Visitor::takes_image) visitor(i, s.index[at], s.shift[at]);
          else visitor(i, s.index[at], image(0, 0, 0));
        }
      }
    }
    Lanes::sync();
  }

  KOKKOS_FORCEINLINE_FUNCTION vector shift_of(runs_type const& runs, int of, known const& mine) const {
    return pass.search.particles.box_of(mine.system).shift(Lanes::shuffle(runs.shift, of));
  }

  /// The hits of N words in single precision; false where that does not decide about all.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION bool filter(runs_type const& runs, flat_words<Lanes>& walk, int word, int lane,
                                          scratch const& s, known const& mine, [[maybe_unused]] bool& halved,
                                          std::uint32_t (&hits)[N]) const {
    auto const& p = pass.search.particles;
    int of[N];
    Real x[N][3];
    [[maybe_unused]] typename rule_filter_type::template held<N> ruled;
    [[maybe_unused]] bool const asks_ghosts = pass.search.rules.keeps_some() || pass.search.rules.has_own_ghosts();
    UPSWEEP_UNROLL
    for (int u = 0; u < N; ++u) {
      int const number = (word + u) * Lanes::size + lane;
      of[u] = walk.run_in_next(word + u, lane);
      int const there = number + Lanes::shuffle(runs.to_place, of[u]), place = number < runs.all ? there : s.place[0];
      x[u][0] = p.x[place], x[u][1] = p.y[place], x[u][2] = p.z[place];
      if constexpr (has_rules)
        rule_filter_type::hold(pass.search.rules, place, by_id && asks_ghosts && p.order[place] >= p.rows, u,
                               mine.ruled, ruled);
    }
    typename filter_type::template held<N> held;
    UPSWEEP_UNROLL
    for (int u = 0; u < N; ++u) {
      UPSWEEP_UNROLL
      for (int d = 0; d < 3; ++d) x[u][d] -= mine.origin[d];
      if (mine.shifted) {
        auto const by = shift_of(runs, of[u], mine);
        UPSWEEP_UNROLL
        for (int d = 0; d < 3; ++d) {
          x[u][d] += by[d];
          held.shift += Kokkos::fabs(static_cast<float>(by[d]));
        }
      }
      held.set(u, x[u]);
      if ((word + u) * Lanes::size + lane >= runs.all) held.remove(u);
    }
    if constexpr (has_rules)
      return rule_filter_type::test(pass.search.rules, s, mine.ruled, mine.reach, p.cutoff_squared, held, ruled, halved,
                                    hits);
    else
      return filter_type::template test<Real, 2>(s.at, mine.particles, mine.reach,
                                                 static_cast<double>(p.cutoff_squared), held, lane, hits);
  }

  /// The hits of a word as a list defines distances. Few words come here, but each of their warps keeps a small list
  /// waiting: so coordinates of the particles are loaded once, and go from lane to lane.
  KOKKOS_FUNCTION std::uint32_t compare(runs_type const& runs, int word, int lane, scratch const& s,
                                        known const& mine) const {
    auto const& p = pass.search.particles;
    int const number = word * Lanes::size + lane;
    bool const is_there = number < runs.all;
    auto const candidate = runs[is_there ? number : 0];
    int const own = s.place[Kokkos::min(lane, mine.particles - 1)];
    Real const x[3] = {p.x[candidate.place], p.y[candidate.place], p.z[candidate.place]};
    Real const own_x[3] = {p.x[own], p.y[own], p.z[own]};
    auto const by = p.box_of(mine.system).shift(candidate.shift);
    [[maybe_unused]] limits own_limits = {}, candidate_limits = {};
    if constexpr (by_distance) {
      own_limits = pass.search.rules.limits_of(own);
      candidate_limits = pass.search.rules.limits_of(candidate.place);
    }
    std::uint32_t hits = 0;
    UPSWEEP_NO_UNROLL
    for (int i = 0; i < mine.particles; ++i) {
      Real d[3];
      UPSWEEP_UNROLL
      for (int c = 0; c < 3; ++c) d[c] = (x[c] - Lanes::shuffle(own_x[c], i)) + by[c];
      Real const r2 = p.length_squared(d[0], d[1], d[2]);
      bool is_in = is_there && r2 <= p.cutoff_squared;
      if constexpr (by_distance)
        is_in = is_in & pass.search.rules.allows_distance(Lanes::shuffle(own_limits, i), candidate_limits, r2);
      std::uint32_t const in = Lanes::ballot(is_in);
      if (lane == i) hits = in;
    }
    return hits;
  }

  /// The hits of a word that rules about ids allow. A lane asks for those of its particle, one after the other.
  KOKKOS_FUNCTION std::uint32_t allowed(runs_type const& runs, int word, std::uint32_t hits, int lane, scratch& s,
                                        known const& mine) const {
    auto const& rules = pass.search.rules;
    int const number = word * Lanes::size + lane;
    auto const candidate = runs[number < runs.all ? number : 0];
    s.candidate_id[lane] = rules.id(candidate.place);
    s.candidate_place[lane] = candidate.place;
    s.candidate_shift[lane] = candidate.shift;
    Lanes::sync();
    if (lane < mine.particles) {
      auto const ids = s.ids[lane];
      UPSWEEP_NO_UNROLL
      for (std::uint32_t left = hits; left != 0; left &= left - 1) {
        int const bit = Lanes::lowest_set_bit(left);
        std::int64_t const id = s.candidate_id[bit];
        bool in = true;
        if (rules.half) {
          int const place = s.candidate_place[bit];
          image const shift = s.candidate_shift[bit];
          in = rules_type::half_has(ids.own, id, shift) || rules.keeps(place) ||
               rules.half_has_own_ghost(s.place[lane], place, shift);
        }
        if (!in || ids.excludes(rules, id)) hits &= ~(std::uint32_t(1) << bit);
      }
    }
    Lanes::sync();
    return hits;
  }

  /// Whether excluded particles are found by their ids, which are their indices then: their bits are cleared when all
  /// are kept, so that hits are not asked.
  KOKKOS_FORCEINLINE_FUNCTION bool finds_excluded(known const& mine) const {
    return mine.words != nullptr && pass.search.rules.ids == nullptr;
  }
  /// Clears their bits, in the words from `word` to `last`.
  KOKKOS_FORCEINLINE_FUNCTION void remove_excluded(runs_type const& runs, int word, int last, int lane,
                                                   scratch const& s, known& mine) const {
    auto const& rules = pass.search.rules;
    auto const& p = pass.search.particles;
    if (rules.excluded_offsets == nullptr || !finds_excluded(mine)) return;
    typename rules_type::exclusions without = {0, 0};
    if (lane < mine.particles) without = s.ids[lane].without;
    int const all = Lanes::popcount(Lanes::ballot(runs.has_any()));
    UPSWEEP_NO_UNROLL
    for (std::size_t k = without.first; Lanes::ballot(k < without.end) != 0; ++k) {
      std::int64_t const id = k < without.end ? rules.excluded[k] : -1;
      bool const is_there = id >= 0 && id < p.places;
      int const place = is_there ? p.place_of[id] : 0;
      UPSWEEP_NO_UNROLL
      for (int r = 0; r < all; ++r) {
        int const number = place - Lanes::shuffle(runs.to_place, r);
        int const begin = Lanes::shuffle(runs.begin, r), end = Lanes::shuffle(runs.end, r);
        int const of = number / Lanes::size;
        if (!is_there || number < begin || number >= end || of < word || of >= last) continue;
        std::uint32_t& kept = mine.words[of * mine.particles + lane];
        std::uint32_t const bit = std::uint32_t(1) << number % Lanes::size;
        if ((kept & bit) == 0) continue;
        kept &= ~bit;
        --mine.count;
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void report(int lane, scratch const& s, known const& mine) const {
    if (rows.counts == nullptr) return;
    if (lane < mine.particles) rows.counts[s.particle[lane]] = static_cast<std::size_t>(mine.count);
    auto const most = internal::fold_lanes<Lanes>(max<std::uint64_t>{}, static_cast<std::uint64_t>(mine.count), lane);
    if (lane == 0 && most > compat::load_word(rows.largest)) Kokkos::atomic_max(rows.largest, most);
  }
};

}  // namespace upsweep::neighbors::detail
