// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/masks/gpu/block_words.hpp>
#include <upsweep/neighbors/detail/masks/gpu/group_box.hpp>
#include <upsweep/neighbors/detail/masks/gpu/group_filter.hpp>
#include <upsweep/neighbors/detail/masks/gpu/hit_rules.hpp>
#include <upsweep/neighbors/detail/masks/gpu/lane_ids.hpp>
#include <upsweep/neighbors/detail/masks/gpu/warp_runs.hpp>
#include <upsweep/neighbors/detail/masks/hit_masks.hpp>
#include <upsweep/neighbors/detail/pairs/pair_visitor.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

using internal::warp_lanes;

/// One warp per group: counts the neighbours of each particle and keeps the hits. Each lane holds two candidates, the
/// particles of the group pass by one after the other, and a ballot of the lanes is a word of the mask.
///
/// Words of a group: the number of its blocks, which are up to 32 particles of a run; for each block which ones are
/// candidates; then for each 32 candidates one word per particle.
///
/// Visitor: of for_each_pair. Each lane hands it the hits of its own particle, in the row's order.
template <class Real, hit_rules Rules, class Systems, class Lanes = warp_lanes, class Visitor = no_visitor>
struct count_hits_gpu {
  mask_pass<Real, Systems> pass;
  row_counts rows;
  bool keep;
  Visitor visitor = {};

  static constexpr bool visits = visits_pairs<Visitor>;

  static constexpr bool by_id = look_at_ids(Rules);
  static constexpr bool by_distance = look_at_distances(Rules);
  static constexpr bool imaged = Rules == hit_rules::images || by_id;

  static constexpr int warps = 4;
  /// H100: doubles with 250 neighbours 1.01 ms with 5, 1.09 with 7; whole builds of 1024 and 8192 systems of 128 floats
  /// 333 and 1467 us with 8, 347 and 1485 with 7 (2026-11-28). With rules about distances H200, 1 M floats: one more or
  /// less than 7 takes up to 4 % longer.
  static constexpr int resident_teams = sizeof(Real) == 8 ? 5 : by_distance ? 7 : 8;
  static constexpr int chunk = 2 * Lanes::size;         ///< candidates that are tested together
  static constexpr int unrolled = by_distance ? 2 : 4;  ///< particles that pass by together
  static constexpr bool classes = Rules == hit_rules::classes;
  /// Whether single precision decides first, of floats, too: relative to the group, where images need no arithmetic for
  /// each pair. Rules about distances ask for each of them.
  static constexpr bool filters = !by_distance;

  using limits = typename pair_rules<Real>::limits;
  using exclusions = typename pair_rules<Real>::exclusions;
  struct alignas(16) point {
    Real x, y, z;
    image im;
  };
  using filter_type = group_filter<Lanes>;
  struct scratch {
    point at[Lanes::size];
    typename filter_type::point near[filters ? Lanes::size : 1];
    point candidates[chunk + Lanes::size];
    int place[by_distance ? chunk + Lanes::size : Lanes::size];
    int index[visits ? chunk + Lanes::size : 1];  ///< of the candidates, as rows name them
    int particle[Lanes::size];
    int self[Lanes::size];                             ///< where among the candidates the particle of a slot is
    std::int64_t id[by_id ? chunk + Lanes::size : 1];  ///< of the candidates
    bool kept[by_id ? chunk + Lanes::size : 1];        ///< candidates that half lists keep for all particles
    limits rules[by_distance ? Lanes::size : 1];       ///< of the group's particles
  };
  static constexpr std::size_t scratch_bytes = warps * sizeof(scratch) + 16;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const rank = member.team_rank(), lane = rank % Lanes::size;
    auto* const all = static_cast<scratch*>(member.team_scratch(0).get_shmem_aligned(warps * sizeof(scratch), 16));
    std::int64_t const group =
        pass.first_group + static_cast<std::int64_t>(member.league_rank()) * warps + rank / Lanes::size;
    if (pass.has(group)) count_group(group, lane, all[rank / Lanes::size]);
  }

 private:
  using vector = typename box<Real>::vector;

  using box_of_group = group_box<Real, Lanes>;
  struct candidate {
    Real x, y, z;
    Real shift[3];
    image im;
    limits rules;
  };
  /// The particle of a lane, and what the lane counts for it.
  struct lane_particle {
    typename Systems::name system;
    int particles;  ///< of the group that have rows
    int own_self;   ///< the entry of scratch that says where it is itself
    lane_ids<Real> ids = {};
    int candidates_before = 0;
    std::uint32_t* words;
    std::size_t count = 0;
    float reach = 0;  ///< of the group's particles from its middle, at most
  };

  KOKKOS_FUNCTION void count_group(std::int64_t group, int lane, scratch& s) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], end = pass.groups[group + 1];
    lane_particle mine;
    mine.system = pass.system_at(first);
    box_of_group const near = gather(first, end, lane, s, mine);
    if (mine.particles == 0) return;
    if constexpr (filters) round_particles(near, lane, s, mine);

    warp_runs<Real, Systems, classes, Lanes> const runs(p, pass.cells_of(first, end), lane);
    block_words<Lanes> blocks{take_words(group, runs, lane, mine)};
    int fill = 0;
    std::uint32_t const below = (1u << lane) - 1;
    auto const test_run = [&](candidate_run const& run, Real near_squared) {
      bool const here = run.shift == image(0, 0, 0);
      vector const from_middle = near.way_from_middle(p.box_of(mine.system), run.shift);
      bool const own = run.begin <= first && first < run.end && (p.images != nullptr || here);
      for (int from = run.begin; from < run.end; from += Lanes::size) {
        int const k = from + lane;
        point const c = candidate_at(k < run.end ? k : from, run);
        bool const wanted = k < run.end && is_near(c, from_middle, near, mine.system,
                                                   classes ? near_squared : p.grid_of(mine.system).near_squared);
        std::uint32_t const which = Lanes::ballot(wanted);
        blocks.add(which, lane);
        if (wanted) {
          int const at = fill + Lanes::popcount(which & below);
          s.candidates[at] = c;
          if constexpr (visits) s.index[at] = p.order[k] - p.first_candidate;
          if constexpr (by_distance) s.place[at] = k;
          if constexpr (by_id) s.id[at] = pass.search.rules.id(k), s.kept[at] = pass.search.rules.keeps(k);
          if (own && (!imaged || c.im == image(0, 0, 0))) {
            int const slot = pass.slot_of_place(k);
            if (slot >= first && slot < end) s.self[slot - first] = mine.candidates_before + at;
          }
        }
        fill += Lanes::popcount(which);
        if (fill >= chunk) {
          test(chunk, near, lane, s, mine);
          fill -= chunk;
          if (lane < fill) move(s, chunk + lane, lane);
          Lanes::sync();
        }
      }
    };
    runs.for_each(
        test_run, [&](candidate_run const& own) { return is_far(own, near, mine.system, lane); },
        [&](candidate_run const& run) {
          blocks.add_empty((run.end - run.begin + Lanes::size - 1) / Lanes::size, lane);
        });
    if (fill > 0) test(fill, near, lane, s, mine);
    blocks.write(lane);
    report(lane, s, mine);
  }

  /// Memory for the masks of a group, or null; the words of its blocks are first, then those of particles,
  /// which `mine` gets.
  KOKKOS_FUNCTION std::uint32_t* take_words(std::int64_t group, warp_runs<Real, Systems, classes, Lanes> const& runs,
                                            int lane, lane_particle& mine) const {
    mine.words = nullptr;
    if (!keep) return nullptr;
    std::uint64_t candidates, blocks;
    runs.measure(candidates, blocks);
    std::uint32_t* kept = nullptr;
    if (lane == 0) {
      std::uint64_t const words =
          (candidates + Lanes::size - 1) / Lanes::size * static_cast<std::uint64_t>(mine.particles);
      kept = pass.masks.take(group, 1 + blocks + words);
      if (kept != nullptr) *kept++ = static_cast<std::uint32_t>(blocks);
    }
    kept = Lanes::shuffle(kept, 0);
    if (kept != nullptr) mine.words = kept + blocks;
    return kept;
  }

  /// The group's particles with rows into scratch, up to a multiple of `unrolled` ones that are near nothing; what
  /// surrounds them, in every lane.
  KOKKOS_FUNCTION box_of_group gather(int first, int end, int lane, scratch& s, lane_particle& mine) const {
    auto const& p = pass.search.particles;
    constexpr Real nowhere = Kokkos::Experimental::quiet_NaN_v<Real>;
    warp_bounds<Real, Lanes> bounds;
    int const slot = first + lane, place = slot < end ? pass.place_of_slot(slot) : first;
    int const i = slot < end ? p.order[place] : p.rows;
    std::uint32_t const which = Lanes::ballot(i < p.rows);
    mine.particles = Lanes::popcount(which);
    s.self[lane] = -1;
    if (lane >= mine.particles) {
      s.at[lane] = {nowhere, nowhere, nowhere, image(0, 0, 0)};
      if constexpr (by_distance) s.rules[lane] = {};
    }
    if (i < p.rows) {
      int const at = Lanes::popcount(which & ((1u << lane) - 1));
      Real const x[3] = {p.x[place], p.y[place], p.z[place]};
      s.at[at] = {x[0], x[1], x[2], image(0, 0, 0)};
      s.particle[at] = i;
      s.place[at] = slot;
      if constexpr (by_distance) s.rules[at] = pass.search.rules.limits_of(place);
      bounds.add(x);
    }
    bounds.meet();
    Lanes::sync();
    int const own_slot = lane < mine.particles ? s.place[lane] : first;
    mine.own_self = own_slot - first;
    if constexpr (by_id)
      if (lane < mine.particles) mine.ids = lane_ids<Real>::of(pass.search.rules, pass.place_of_slot(own_slot));
    Lanes::sync();  // the slots are overwritten by candidates' places
    return box_of_group::around(bounds);
  }

  /// The group's particles as the filter takes them.
  KOKKOS_FUNCTION void round_particles(box_of_group const& near, int lane, scratch& s, lane_particle& mine) const {
    using point_type = typename filter_type::point;
    float from[3] = {0, 0, 0};
    if (lane < mine.particles) {
      point const p = s.at[lane];
      Real const x[3] = {p.x, p.y, p.z};
      for (int d = 0; d < 3; ++d) from[d] = static_cast<float>(x[d] - near.middle[d]);
    }
    float const square = filter_type::square_of(from);
    mine.reach = filter_type::reach_of(square);
    double const cutoff_squared = pass.search.particles.cutoff_squared;
    s.near[lane] = lane < mine.particles ? point_type::of(from, square, cutoff_squared) : point_type::none();
    Lanes::sync();
  }

  KOKKOS_FORCEINLINE_FUNCTION point candidate_at(int place, candidate_run const& run) const {
    auto const& p = pass.search.particles;
    image im = run.shift;
    if constexpr (imaged)
      if (p.images != nullptr) im = p.images[place];
    return {p.x[place], p.y[place], p.z[place], im};
  }

  /// Whether a candidate of a run, which `way` takes to where it is from the group's middle, may be near one of it.
  KOKKOS_FORCEINLINE_FUNCTION bool is_near(point const& c, vector const& way, box_of_group const& near,
                                           typename Systems::name system, Real near_squared) const {
    Real const at[3] = {c.x, c.y, c.z};
    if constexpr (imaged) {
      auto const& p = pass.search.particles;
      if (p.images != nullptr) {
        vector own = p.box_of(system).shift(c.im);
        for (int d = 0; d < 3; ++d) own[d] -= near.middle[d];
        return near.is_near(at, own, near_squared);
      }
    }
    return near.is_near(at, way, near_squared);
  }

  /// Whether no particle of the lane's run is near the group. Asked where a system is one cell alone, whose runs are
  /// the same particles in several images: their bounds are found once.
  KOKKOS_FORCEINLINE_FUNCTION bool is_far(candidate_run const& own, box_of_group const& near,
                                          typename Systems::name system, int lane) const {
    auto const& p = pass.search.particles;
    if (classes || p.grid_of(system).total() != 1 || p.images != nullptr) return false;
    auto const having = Lanes::ballot(own.begin < own.end);
    if (having == 0) return false;
    int const of = Lanes::lowest_set_bit(having), end = Lanes::shuffle(own.end, of);
    warp_bounds<Real, Lanes> bounds;
    for (int k = Lanes::shuffle(own.begin, of) + lane; k < end; k += Lanes::size) bounds.add({p.x[k], p.y[k], p.z[k]});
    bounds.meet();
    return near.is_far(bounds, near.way_from_middle(p.box_of(system), own.shift), p.grid_of(system).near_squared);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void move(scratch& s, int from, int to) {
    s.candidates[to] = s.candidates[from];
    if constexpr (visits) s.index[to] = s.index[from];
    if constexpr (by_distance) s.place[to] = s.place[from];
    if constexpr (by_id) s.id[to] = s.id[from], s.kept[to] = s.kept[from];
  }

  KOKKOS_FORCEINLINE_FUNCTION candidate load(scratch const& s, int k, int n) const {
    constexpr Real nowhere = Kokkos::Experimental::quiet_NaN_v<Real>;
    if (k >= n) return {nowhere, nowhere, nowhere, {0, 0, 0}, image(0, 0, 0), {}};
    point const c = s.candidates[k];
    candidate loaded{c.x, c.y, c.z, {0, 0, 0}, c.im, {}};
    // Once for all particles of the group.
    if constexpr (by_distance) loaded.rules = pass.search.rules.limits_of(s.place[k]);
    return loaded;
  }
  KOKKOS_FORCEINLINE_FUNCTION void set_shift(candidate& c, typename Systems::name system) const {
    auto const shift = pass.search.particles.box_of(system).shift(c.im);
    for (int d = 0; d < 3; ++d) c.shift[d] = shift[d];
  }

  /// The hits among the first n candidates in scratch in single precision; false where that does not decide about all.
  KOKKOS_FORCEINLINE_FUNCTION bool filter(int n, box_of_group const& near, bool straight, int lane, scratch const& s,
                                          lane_particle const& mine, std::uint32_t (&hits)[2]) const {
    typename filter_type::template held<2> held;
    UPSWEEP_UNROLL
    for (int u = 0; u < 2; ++u) {
      // Where there is no candidate, all is NaN, which is neither near nor a maximum.
      candidate c = load(s, lane + u * Lanes::size, n);
      if (!straight) set_shift(c, mine.system);
      held.set(u, {(c.x - near.middle[0]) + c.shift[0], (c.y - near.middle[1]) + c.shift[1],
                   (c.z - near.middle[2]) + c.shift[2]});
      for (int d = 0; d < 3; ++d) held.shift += Kokkos::fabs(static_cast<float>(c.shift[d]));
    }
    return filter_type::template test<Real, unrolled>(s.near, mine.particles, mine.reach,
                                                      static_cast<double>(pass.search.particles.cutoff_squared), held,
                                                      lane, hits);
  }

  /// The same as a list defines distances.
  KOKKOS_FUNCTION void compare(int n, bool straight, int lane, scratch const& s, lane_particle const& mine,
                               std::uint32_t (&hits)[2]) const {
    candidate a = load(s, lane, n), b = load(s, lane + Lanes::size, n);
    if (!straight) {
      set_shift(a, mine.system);
      set_shift(b, mine.system);
      pass_by<true, true>(a, b, lane, s, mine.particles, hits);
    } else if (n > Lanes::size) {
      pass_by<false, true>(a, b, lane, s, mine.particles, hits);
    } else {
      pass_by<false, false>(a, b, lane, s, mine.particles, hits);
    }
  }

  /// Tests the first n candidates in scratch against the group.
  KOKKOS_FUNCTION void test(int n, box_of_group const& near, int lane, scratch& s, lane_particle& mine) const {
    Lanes::sync();
    auto const is_shifted = [&](int k) { return k < n && !(s.candidates[k].im == image(0, 0, 0)); };
    bool const straight = Lanes::ballot(is_shifted(lane) || is_shifted(lane + Lanes::size)) == 0;
    std::uint32_t hits[2] = {0, 0};
    bool decided = false;
    if constexpr (filters) decided = filter(n, near, straight, lane, s, mine, hits);
    if (!decided) compare(n, straight, lane, s, mine, hits);

    if constexpr (by_id)
      if (straight) allow_by_ballots(n, lane, mine, s, hits);
    if (lane < mine.particles) {
      int const at = s.self[mine.own_self], self = at - mine.candidates_before;
      if (at >= 0 && self >= 0 && self < chunk) {
        if (self < Lanes::size) hits[0] &= ~(1u << self);
        else hits[1] &= ~(1u << (self - Lanes::size));
      }
      if constexpr (by_id) {
        if (!straight) {
          UPSWEEP_UNROLL
          for (int half = 0; half < 2; ++half) hits[half] = allowed(hits[half], half * Lanes::size, lane, mine.ids, s);
        }
      }
      mine.count += static_cast<std::size_t>(Lanes::popcount(hits[0]) + Lanes::popcount(hits[1]));
      if (mine.words != nullptr) {
        mine.words[lane] = hits[0];
        if (n > Lanes::size) mine.words[mine.particles + lane] = hits[1];
      }
      if constexpr (visits) {
        for (int half = 0; half < 2; ++half) {
          for (std::uint32_t bits = hits[half]; bits != 0; bits &= bits - 1) {
            int const k = half * Lanes::size + Lanes::lowest_set_bit(bits);
            visitor(s.particle[lane], s.index[k], s.candidates[k].im);
          }
        }
      }
    }
    if (mine.words != nullptr) mine.words += 2 * mine.particles;
    mine.candidates_before += chunk;
    Lanes::sync();
  }

  template <bool Shifted, bool Both>
  KOKKOS_FORCEINLINE_FUNCTION void pass_by(candidate const& a, candidate const& b, int lane, scratch const& s,
                                           int particles, std::uint32_t (&hits)[2]) const {
    for (int first = 0; first < particles; first += unrolled) {
      UPSWEEP_UNROLL
      for (int u = 0; u < unrolled; ++u) {
        int const i = first + u;
        point const p = s.at[i];
        std::uint32_t const in_a = Lanes::ballot(hit<Shifted>(a, p, s, i));
        std::uint32_t const in_b = Both ? Lanes::ballot(hit<Shifted>(b, p, s, i)) : 0;
        if (lane == i) {
          hits[0] = in_a;
          hits[1] = in_b;
        }
      }
    }
  }

  template <bool Shifted>
  KOKKOS_FORCEINLINE_FUNCTION bool hit(candidate const& c, point const& p, scratch const& s, int i) const {
    Real dx = c.x - p.x, dy = c.y - p.y, dz = c.z - p.z;
    if constexpr (Shifted) dx += c.shift[0], dy += c.shift[1], dz += c.shift[2];
    Real const r2 = binned_particles<Real>::length_squared(dx, dy, dz);
    bool in = r2 <= pass.search.particles.cutoff_squared;
    // Not only where it is in: some lane's candidate nearly always is, and so all lanes would wait for the branch.
    if constexpr (by_distance) in = in & pass.search.rules.allows_distance(s.rules[i], c.rules, r2);
    return in;
  }

  /// Leaves the hits that rules about ids let each particle have, of n candidates in scratch that are all in image
  /// (0, 0, 0): only a particle and its shifted ghosts have the same id there. Each lane has the ids `a` and `b` of two
  /// candidates; the particles pass by, and ballots say which candidates have larger ids, or excluded ones.
  KOKKOS_FORCEINLINE_FUNCTION void allow_by_ballots(int n, int lane, lane_particle const& mine, scratch const& s,
                                                    std::uint32_t (&hits)[2]) const {
    auto const& rules = pass.search.rules;
    bool const has_a = lane < n, has_b = lane + Lanes::size < n;
    std::int64_t const a = has_a ? s.id[lane] : 0, b = has_b ? s.id[lane + Lanes::size] : 0;
    if (rules.half) {
      std::uint32_t const odd[2] = {Lanes::ballot((a & 1) != 0), Lanes::ballot((b & 1) != 0)};
      std::uint32_t const kept[2] = {Lanes::ballot(has_a && s.kept[lane]),
                                     Lanes::ballot(has_b && s.kept[lane + Lanes::size])};
      std::uint32_t larger[2] = {0, 0}, same[2] = {0, 0};
      for (int i = 0; i < mine.particles; ++i) {
        std::int64_t const own = Lanes::shuffle(mine.ids.own, i);
        std::uint32_t const in_a = Lanes::ballot(own < a), in_b = Lanes::ballot(own < b);
        if (lane == i) larger[0] = in_a, larger[1] = in_b;
        if (!rules.has_own_ghosts()) continue;
        std::uint32_t const same_a = Lanes::ballot(own == a), same_b = Lanes::ballot(own == b);
        if (lane == i) same[0] = same_a, same[1] = same_b;
      }
      // pair_rules::half_has: an even sum of ids and the smaller id, or neither.
      std::uint32_t const own_odd = (mine.ids.own & 1) != 0 ? ~std::uint32_t(0) : 0;
      UPSWEEP_UNROLL
      for (int k = 0; k < 2; ++k) {
        for (std::uint32_t left = same[k] &= hits[k]; left != 0; left &= left - 1) {
          int const bit = Lanes::lowest_set_bit(left);
          if (!is_own_ghost(lane, k * Lanes::size + bit, s)) same[k] &= ~(1u << bit);
        }
        hits[k] &= (larger[k] ^ odd[k] ^ own_odd) | kept[k] | same[k];
      }
    }
    if (rules.excluded_offsets == nullptr) return;
    for (int i = 0; i < mine.particles; ++i) {
      exclusions const without = Lanes::shuffle(mine.ids.without, i);
      if (without.first == without.end) continue;
      std::int64_t id = Lanes::shuffle(mine.ids.first_excluded, i);
      std::uint32_t in_a = Lanes::ballot(id == a), in_b = Lanes::ballot(id == b);
      for (std::size_t k = without.first + 1; k < without.end; ++k) {
        id = rules.excluded[k];
        in_a |= Lanes::ballot(id == a);
        in_b |= Lanes::ballot(id == b);
      }
      if (lane == i) hits[0] &= ~in_a, hits[1] &= ~in_b;
    }
  }

  /// Of the hits among the candidates from `first` on those that rules about ids let the lane's particle have. A lane
  /// looks at the hits of its particle, one after the other: they are a fifth of the candidates.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t allowed(std::uint32_t hits, int first, int lane, lane_ids<Real> const& ids,
                                                    scratch const& s) const {
    auto const& rules = pass.search.rules;
    for (std::uint32_t left = hits; left != 0; left &= left - 1) {
      int const bit = Lanes::lowest_set_bit(left);
      std::int64_t const id = s.id[first + bit];
      image const im = s.candidates[first + bit].im;
      bool in = !rules.half || s.kept[first + bit] || rules.half_has(ids.own, id, im) ||
                (rules.has_own_ghosts() && id == ids.own && im == image(0, 0, 0) && is_own_ghost(lane, first + bit, s));
      in = in && !ids.excludes(rules, id);
      if (!in) hits &= ~(1u << bit);
    }
    return hits;
  }

  /// Of a candidate with the id of the lane's particle, in the same image: whether a half list has it in this row.
  KOKKOS_FORCEINLINE_FUNCTION static bool is_own_ghost(int lane, int candidate, scratch const& s) {
    point const p = s.at[lane], c = s.candidates[candidate];
    return pair_rules<Real>::points_up(c.x - p.x, c.y - p.y, c.z - p.z);
  }

  KOKKOS_FUNCTION void report(int lane, scratch const& s, lane_particle const& mine) const {
    if (rows.counts == nullptr) return;
    if (lane < mine.particles) rows.counts[s.particle[lane]] = mine.count;
    auto const most = internal::fold_lanes<Lanes>(max<std::uint64_t>{}, static_cast<std::uint64_t>(mine.count), lane);
    if (lane == 0 && most > compat::load_word(rows.largest)) Kokkos::atomic_max(rows.largest, most);
  }
};

}  // namespace upsweep::neighbors::detail
