// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/gpu/group_filter.hpp>
#include <upsweep/neighbors/detail/rules/pair_rules.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// The tests of group_filter.hpp with rules of pairs. A rule costs a few instructions for each pair, and no second look
/// at hits:
///
/// Types: particles of one type pass by one after the other, at slots of scratch in the order of their types. Before
/// those of a type a lane adds to the square of its candidate what their cutoff is less than the list's.
/// Radii: a fourth coordinate (distance_filter.hpp). None is more than the cutoff here, which changes no pair, since
/// pairs have to be within the cutoff, too.
/// Half lists: the sign of the difference of two numbers, one of each particle (pair_rules::half_number), where their
/// ids are not far apart, and differ: of candidates, ghosts alone may have the id of a particle of the group.
template <class Real, class Lanes, bool ById, bool ByDistance>
struct rule_filter {
  using filter = group_filter<Lanes>;
  using point = typename filter::point;
  using rules_type = pair_rules<Real>;
  using limits = typename rules_type::limits;

  static constexpr int together = 2;  ///< particles that pass by
  /// Those of a type begin at a multiple of `together`.
  static constexpr int slots = ByDistance ? together * Lanes::size : Lanes::size;

  /// A radius r: -2 r, and r^2 less the square of the particle's coordinates.
  struct alignas(8) radius_of_slot {
    float twice, left;
  };
  struct scratch {
    point at[slots];
    int half_number[ById ? slots : 1];
    radius_of_slot radius[ByDistance ? slots : 1];
    int slot[ByDistance ? Lanes::size : 1];  ///< of each particle of the group
    int type[ByDistance ? Lanes::size : 1];  ///< types of the group, each once
    int end[ByDistance ? Lanes::size : 1];   ///< behind the slots of each
  };

  /// What lanes know of the group.
  struct group {
    int slot;         ///< of the lane's particle, or below 0
    int end;          ///< of all slots
    int types;        ///< that differ
    float cutoff;     ///< of the list
    float largest;    ///< radius
    bool halves;      ///< whether half numbers decide about its particles
    std::int64_t id;  ///< near those of the group
  };

  /// What a lane knows of its candidates beside group_filter::held.
  template <int N>
  struct held {
    int half_number[ById ? N : 1] = {};
    int type[ByDistance ? N : 1] = {};
    float radius[ByDistance ? N : 1] = {};
    bool halves = true;  ///< whether half numbers decide about them
  };

  /// Puts the group's particles to scratch: lanes of `which` have one each, at a place with the square of its
  /// coordinates, the k-th of them the one that lane k will look at. Lanes meet before any looks.
  KOKKOS_FORCEINLINE_FUNCTION static void gather(rules_type const& rules, Real cutoff_squared,
                                                 typename Lanes::mask which, int place, float square, point const& own,
                                                 int lane, scratch& s, group& g) {
    bool const has = (which >> lane & 1) != 0;
    int const at = Lanes::popcount_below(which, lane);
    int slot = at;
    g.types = 1;
    g.end = Lanes::popcount(which);
    if constexpr (ByDistance) {
      g.cutoff = Kokkos::sqrt(static_cast<float>(cutoff_squared));
      limits const own_limits = has ? rules.limits_of(place) : limits{0, 0};
      slot = sort_by_type(which, own_limits.type, lane, s, g);
      float const radius = radius_of(rules, own_limits, g);
      g.largest = filter::largest_of(has ? radius : 0.0f);
      if (has) {
        s.radius[slot] = {-2 * radius, Kokkos::fma(radius, radius, -square)};
        s.slot[at] = slot;
      }
    } else if (lane == 0 && g.end % together != 0) {
      s.at[g.end] = point::none();
    }
    if constexpr (ById) {
      g.id = Lanes::shuffle(rules.id(place), Lanes::lowest_set_bit(which));
      std::int64_t const id = has ? rules.id(place) : g.id;
      g.halves = rules.half && Lanes::all(is_close(id, g.id));
      if (has) s.half_number[slot] = half_number(id, g.id);
    }
    if (has) s.at[slot] = own;
  }
  /// After lanes have met.
  KOKKOS_FORCEINLINE_FUNCTION static void find_own(int particles, int lane, scratch const& s, group& g) {
    g.slot = lane;
    if constexpr (ByDistance) g.slot = s.slot[lane < particles ? lane : 0];
    if (lane >= particles) g.slot = -1;
  }

  /// Candidate u of a lane, at a place of cells. is_ghost: whether it is one, where that matters for half lists.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION static void hold(rules_type const& rules, int place, bool is_ghost, int u, group const& g,
                                               held<N>& c) {
    if constexpr (ByDistance) {
      limits const own = rules.limits_of(place);
      c.type[u] = own.type;
      c.radius[u] = radius_of(rules, own, g);
    }
    if constexpr (ById) {
      if (!g.halves) return;
      std::int64_t const id = rules.id(place);
      c.halves = c.halves && is_close(id, g.id) && !is_ghost;
      c.half_number[u] = half_number(id, g.id);
    }
  }

  /// As group_filter::test. halved: whether hits are those of a half list.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION static bool test(rules_type const& rules, scratch const& s, group const& g, float reach,
                                               Real cutoff_squared, typename filter::template held<N> const& c,
                                               held<N> const& ruled, bool& halved, std::uint32_t (&hits)[N]) {
    halved = false;
    if constexpr (ById) halved = g.halves && Lanes::all(ruled.halves);
    float nearest;
    if (ById && halved) nearest = test_halves<ById, N>(rules, s, g, cutoff_squared, c, ruled, hits);
    else nearest = test_halves<false, N>(rules, s, g, cutoff_squared, c, ruled, hits);
    double const square = static_cast<double>(cutoff_squared);
    return filter::template decides<Real>(nearest, reach, square, ByDistance ? 4 * square : 0.0, c);
  }

 private:
  /// What is compared with distances: the cutoff, which is of types where there are some, radii, or both.
  enum class tests { cutoffs, radii, both };

  /// Whether an id is within 2^30 of another: two such ids differ by less than 2^31. No difference overflows here.
  KOKKOS_FORCEINLINE_FUNCTION static bool is_close(std::int64_t id, std::int64_t to) {
    constexpr std::int64_t most = std::int64_t(1) << 30;
    return to >= 0 ? id >= to - most && id - to < most : id < to + most && id - to >= -most;
  }
  KOKKOS_FORCEINLINE_FUNCTION static int half_number(std::int64_t id, std::int64_t from) {
    return rules_type::half_number(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(from)));
  }
  KOKKOS_FORCEINLINE_FUNCTION static float radius_of(rules_type const& rules, limits const& own, group const& g) {
    return rules.radii == nullptr ? g.cutoff
                                  : static_cast<float>(Kokkos::fmin(own.radius, static_cast<Real>(g.cutoff)));
  }

  /// The slot of the lane's particle.
  KOKKOS_FORCEINLINE_FUNCTION static int sort_by_type(typename Lanes::mask which, int type, int lane, scratch& s,
                                                      group& g) {
    int slot = 0, next = 0;
    g.types = 0;
    for (auto left = which; left != 0;) {
      int const of = Lanes::shuffle(type, Lanes::lowest_set_bit(left));
      auto const same = static_cast<typename Lanes::mask>(Lanes::ballot(type == of) & left);
      if ((same >> lane & 1) != 0) slot = next + Lanes::popcount_below(same, lane);
      next += Lanes::popcount(same);
      if (lane == 0) {
        if (next % together != 0) {
          s.at[next] = point::none();
          s.radius[next] = {0, -internal::largest_value<float>};
        }
        s.type[g.types] = of;
        s.end[g.types] = next + next % together;
      }
      next += next % together;
      ++g.types;
      left &= static_cast<typename Lanes::mask>(~same);
    }
    g.end = next;
    return slot;
  }

  template <bool Halves, int N>
  KOKKOS_FORCEINLINE_FUNCTION static float test_halves(rules_type const& rules, scratch const& s, group const& g,
                                                       Real cutoff_squared, typename filter::template held<N> const& c,
                                                       held<N> const& ruled, std::uint32_t (&hits)[N]) {
    if constexpr (!ByDistance)
      return test_pairs<tests::cutoffs, Halves, N>(0, g.end, s, g, c.square, {}, c, ruled, hits);
    else if constexpr (ById) return test_types<tests::both, Halves, N>(rules, s, g, cutoff_squared, c, ruled, hits);
    else {
      if (rules.radii == nullptr)
        return test_types<tests::cutoffs, Halves, N>(rules, s, g, cutoff_squared, c, ruled, hits);
      float largest = 0;
      for (int u = 0; u < N; ++u) largest = Kokkos::fmax(largest, ruled.radius[u]);
      largest += g.largest;
      if (rules.types == nullptr && Lanes::all(largest * largest <= static_cast<float>(cutoff_squared)))
        return test_types<tests::radii, Halves, N>(rules, s, g, cutoff_squared, c, ruled, hits);
      return test_types<tests::both, Halves, N>(rules, s, g, cutoff_squared, c, ruled, hits);
    }
  }

  template <tests Tests, bool Halves, int N>
  KOKKOS_FORCEINLINE_FUNCTION static float test_types(rules_type const& rules, scratch const& s, group const& g,
                                                      Real cutoff_squared, typename filter::template held<N> const& c,
                                                      held<N> const& ruled, std::uint32_t (&hits)[N]) {
    float nearest = Kokkos::Experimental::infinity_v<float>, square[N], more[N] = {};
    UPSWEEP_UNROLL
    for (int u = 0; u < N; ++u) {
      float const r = ruled.radius[u];
      square[u] = Tests == tests::radii ? Kokkos::fma(-r, r, c.square[u]) : c.square[u];
      if (Tests == tests::both) more[u] = r * r;
    }
    int first = 0;
    UPSWEEP_NO_UNROLL
    for (int t = 0; t < g.types; ++t) {
      if (Tests != tests::radii && rules.types != nullptr) {
        UPSWEEP_UNROLL
        for (int u = 0; u < N; ++u) {
          auto const less = static_cast<float>(cutoff_squared - rules.type_cutoff_squared(s.type[t], ruled.type[u]));
          square[u] = c.square[u] + less;
          if (Tests == tests::both) more[u] = Kokkos::fma(ruled.radius[u], ruled.radius[u], less);
        }
      }
      int const end = s.end[t];
      nearest = Kokkos::fmin(nearest, test_pairs<Tests, Halves, N>(first, end, s, g, square, more, c, ruled, hits));
      first = end;
    }
    return nearest;
  }

  /// The hits of the particles at slots from `first` to end - 1, and how near to 0 what decides comes. square: of
  /// candidates, and what is added for cutoffs of types, or taken off for radii; more: where both decide, what the test
  /// of radii takes off for them and for the types.
  template <tests Tests, bool Halves, int N>
  KOKKOS_FORCEINLINE_FUNCTION static float test_pairs(int first, int end, scratch const& s, group const& g,
                                                      float const (&square)[N], float const (&more)[N],
                                                      typename filter::template held<N> const& c, held<N> const& ruled,
                                                      std::uint32_t (&hits)[N]) {
    float nearest = Kokkos::Experimental::infinity_v<float>;
    UPSWEEP_NO_UNROLL
    for (; first < end; first += together) {
      UPSWEEP_UNROLL
      for (int i = first; i < first + together; ++i) {
        point const a = s.at[i];
        int const number = Halves ? s.half_number[i] : 0;
        radius_of_slot const radius = Tests == tests::cutoffs ? radius_of_slot{0, 0} : s.radius[i];
        std::uint32_t in[N];
        UPSWEEP_UNROLL
        for (int u = 0; u < N; ++u) {
          float const apart =
              Kokkos::fma(a.x, c.at[u][0], Kokkos::fma(a.y, c.at[u][1], Kokkos::fma(a.z, c.at[u][2], square[u])));
          float beyond = apart - a.most;
          if constexpr (Tests == tests::radii) beyond = Kokkos::fma(radius.twice, ruled.radius[u], apart) - radius.left;
          if constexpr (Tests == tests::both)
            beyond = Kokkos::fmax(beyond, Kokkos::fma(radius.twice, ruled.radius[u], apart - more[u]) - radius.left);
          if constexpr (Halves)  // both signs at once; where nothing is left of the distance, it does not decide
            in[u] = Lanes::ballot(
                (Kokkos::bit_cast<int>(beyond) & rules_type::half_difference(number, ruled.half_number[u])) < 0);
          else in[u] = Lanes::ballot(beyond <= 0);
          nearest = Kokkos::fmin(nearest, Kokkos::fabs(beyond));
        }
        if (g.slot == i) {
          UPSWEEP_UNROLL
          for (int u = 0; u < N; ++u) hits[u] = in[u];
        }
      }
    }
    return nearest;
  }
};

}  // namespace upsweep::neighbors::detail
