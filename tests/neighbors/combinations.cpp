// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Everything that decides what is in a list, in combinations: each two levels of each two factors meet in some case.

#include "boxes.hpp"
#include "host_list.hpp"
#include "random_exclusions.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/unwrapped_image.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>

namespace {

/// Factors and how many levels each has.
enum factor {
  shape,
  boundary,
  reach,
  placing,
  count,
  halves,
  border,
  order,
  ids,
  types,
  radii,
  exclusions,
  sets,
  budget,
  values,
  nearest,
  factors
};
constexpr int levels[factors] = {4, 8, 4, 3, 4, 3, 2, 2, 4, 2, 2, 2, 4, 2, 3, 3};
enum { full, newton_on, newton_off };           // levels of halves
enum { one_set, two_sets, ghosts, some_rows };  // levels of sets
enum { no_values, all_values, some_values };    // levels of values
constexpr int no_limit = 0;                     // level of nearest: all neighbours

using setting = std::array<int, factors>;

/// Lists of two sets and those of the nearest are never half, and ghosts of caller's have ids where their owners
/// matter.
bool possible(setting const& s) {
  if (s[nearest] != no_limit && s[halves] != full) return false;
  if (s[sets] == ghosts && s[ids] == 0) return s[halves] != newton_on && s[exclusions] == 0 && s[nearest] == no_limit;
  if (s[sets] == some_rows && s[ids] == 0) return s[halves] != newton_on;
  return s[sets] != two_sets || s[halves] == full;
}

setting random_setting(std::mt19937_64& engine) {
  setting s;
  do {
    for (int f = 0; f < factors; ++f) s[f] = std::uniform_int_distribution<int>(0, levels[f] - 1)(engine);
    // Else the settings that this level does not go with would be rare.
    if (!possible(s)) s[nearest] = no_limit;
  } while (!possible(s));
  return s;
}

template <class Real>
using problem = oracle::list_problem<Real>;

/// Lengths, tilts and, where points stand on a grid, coordinates are exact in float, so that no rounding decides which
/// border or image a point belongs to.
template <class Real>
problem<Real> make_problem(setting const& s, std::mt19937_64& engine) {
  auto const pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine); };
  auto const real = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine); };
  problem<Real> p;
  for (int d = 0; d < 3; ++d) {
    p.box.lo[d] = Real(pick(-8, 8)) / 4;
    p.box.hi[d] = p.box.lo[d] + Real(pick(4, 20)) / 4;
    p.box.periodic[d] = s[boundary] >> d & 1;
    int const lean = s[shape] == 1   ? pick(-4, 4)
                     : s[shape] == 2 ? pick(-40, 40)
                     : s[shape] == 3 ? (d == 0 ? 0 : pick(1, 8))
                                     : 0;
    p.box.tilt[d] = Real(lean) / 4;
  }
  Real const shortest = std::min({p.box.length(0), p.box.length(1), p.box.length(2)});
  Real const ratio[4] = {Real(0.25), Real(0.5), Real(real(0.6, 1)), Real(real(1, 2.2))};
  p.cutoff = shortest * ratio[s[reach]];

  constexpr int sizes[4] = {1, 7, 33, 90};
  auto const n = static_cast<std::size_t>(sizes[s[count]]);
  p.x = oracle::uniform_points(n, p.box, static_cast<unsigned>(engine()));
  for (auto& q : p.x) {
    if (s[placing] == 1) {
      // On quarters of the edges, borders included.
      Real const f[3] = {Real(pick(0, 3)) / 4, Real(pick(0, 3)) / 4, Real(pick(0, 3)) / 4};
      for (int c = 0; c < 3; ++c) {
        q[c] = p.box.lo[c];
        for (int d = 0; d < 3; ++d) q[c] += f[d] * p.box.edge(d)[c];
      }
    }
    if (s[placing] == 2 && s[sets] != ghosts)
      for (int d = 0; d < 3; ++d)
        if (Real const k = Real(pick(-3, 3)); p.box.periodic[d])
          for (int c = 0; c < 3; ++c) q[c] += k * p.box.edge(d)[c];
  }

  auto& r = p.rules;
  auto rows = n;
  r.half = s[halves] != full;
  r.newton = s[halves] != newton_off;
  r.include_cutoff = s[border] == 0;
  if (s[sets] == two_sets) r.queries = pick(0, int(n));
  if (s[sets] == some_rows) r.rows = static_cast<std::int64_t>(rows = static_cast<std::size_t>(pick(0, int(n))));
  if (s[sets] == ghosts) {
    rows = (n + 1) / 2;
    r.rows = static_cast<std::int64_t>(rows);
    for (std::size_t i = 0; i < n; ++i) {
      int const most = i < rows ? 0 : 1;
      r.images.push_back({pick(-most, most), pick(-most, most), pick(-most, most)});
    }
  }
  if (r.queries >= 0) rows = static_cast<std::size_t>(r.queries);
  if (s[ids] > 0) {
    r.ids.resize(n);
    std::iota(r.ids.begin(), r.ids.end(), 0);
    std::shuffle(r.ids.begin(), r.ids.end(), engine);
    for (auto& id : r.ids) {
      if (s[ids] == 2) id = 1000000007 * id - 5;
      if (s[ids] == 3)
        id =
            id % 2 == 0 ? std::numeric_limits<std::int64_t>::min() + id : std::numeric_limits<std::int64_t>::max() - id;
    }
  }
  if (s[types] == 1) {
    r.type_cutoffs.assign(3, std::vector<double>(3));
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        r.type_cutoffs[a][b] = r.type_cutoffs[b][a] = double(p.cutoff) * pick(0, 4) / 4;
    for (std::size_t i = 0; i < n; ++i) r.types.push_back(pick(0, 2));
  }
  if (s[radii] == 1)
    for (std::size_t i = 0; i < n; ++i) r.radii.push_back(double(p.cutoff) * pick(0, 6) / 8);
  if (s[exclusions] == 1) oracle::add_exclusions(r, rows, n, 3, pick);
  if (s[nearest] != no_limit) r.max_neighbors = s[nearest] == 1 ? 1 : pick(0, 1) == 0 ? pick(2, 12) : pick(20, 200);
  return p;
}

/// (id, image) in the order of row_order::sorted: images by z, then y, then x.
oracle::neighbor_rows by_id(oracle::neighbor_rows rows, oracle::pair_rules const& rules) {
  auto const skipped = rules.queries >= 0 ? static_cast<std::size_t>(rules.queries) : 0;
  for (auto& row : rows)
    std::sort(row.begin(), row.end(), [&](auto const& a, auto const& b) {
      auto const key = [&](oracle::neighbor const& v) {
        auto const [j, x, y, z] = v;
        return std::tuple(rules.id(skipped + static_cast<std::size_t>(j)), z, y, x, j);
      };
      return key(a) < key(b);
    });
  return rows;
}

/// What is kept of pairs, by its definition, in the order of the list.
template <class Real>
std::vector<oracle::pair_value> values_of(oracle::neighbor_rows const& rows, problem<Real> const& p) {
  auto const box = oracle::to_box(p.box);
  auto const first_point = p.rules.queries >= 0 ? static_cast<std::size_t>(p.rules.queries) : 0;
  std::vector<oracle::pair_value> values;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto const& [neighbor, sx, sy, sz] : rows[i]) {
      auto const &x_i = p.x[i], &x_j = p.x[first_point + static_cast<std::size_t>(neighbor)];
      auto const a = oracle::wrapped(p.box, x_i), b = oracle::wrapped(p.box, x_j);
      auto const shift = oracle::image_shift(p.box, {sx, sy, sz});
      auto const s =
          upsweep::unwrapped_image(box, upsweep::image(sx, sy, sz), {x_i[0], x_i[1], x_i[2]}, {x_j[0], x_j[1], x_j[2]});
      std::array<Real, 3> way;
      for (std::size_t d = 0; d < 3; ++d) way[d] = (b[d] - a[d]) + shift[d];
      Real const squared = std::fma(way[2], way[2], std::fma(way[1], way[1], way[0] * way[0]));
      using oracle::bits_of;
      values.push_back({static_cast<int>(i),
                        {s[0], s[1], s[2]},
                        {bits_of(way[0]), bits_of(way[1]), bits_of(way[2])},
                        bits_of(std::sqrt(squared))});
    }
  return values;
}

/// Those that a list keeps.
std::vector<oracle::pair_value> kept(std::vector<oracle::pair_value> values, oracle::build_settings const& how) {
  for (auto& v : values) {
    if (!how.first_indices) v.first = 0;
    if (!how.unwrapped_images) v.unwrapped = {};
    if (!how.displacements) v.displacement = {};
    if (!how.distances) v.distance = 0;
  }
  return values;
}

/// The hash by its definition.
std::uint64_t hash_of(oracle::neighbor_rows const& rows, oracle::pair_rules const& rules) {
  auto const mix = [](std::uint64_t v) {
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return v ^ v >> 31;
  };
  auto const pair = [&](std::int64_t i, std::int64_t j, std::int64_t x, std::int64_t y, std::int64_t z) {
    std::int64_t const bias = 1 << 20;
    auto const s = static_cast<std::uint64_t>(x + bias) + (static_cast<std::uint64_t>(y + bias) << 21) +
                   (static_cast<std::uint64_t>(z + bias) << 42);
    return mix(mix(mix(static_cast<std::uint64_t>(i)) ^ static_cast<std::uint64_t>(j)) ^ s);
  };
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto const& [j, x, y, z] : rows[i]) {
      auto const mine = rules.id(i), other = rules.id(static_cast<std::size_t>(j));
      sum += pair(mine, other, x, y, z);
      bool const reversed = rules.half && (rules.newton || static_cast<std::size_t>(j) < rows.size());
      if (reversed) sum += pair(other, mine, -x, -y, -z);
    }
  return sum;
}

/// With all the memory that it needs where the budget does not hold the masks of one group.
template <class Real>
oracle::host_list build_within_budget(problem<Real> const& p, oracle::build_settings how) {
  try {
    return oracle::build_list(p.x, p.box, p.cutoff, p.rules, how);
  } catch (upsweep::out_of_memory_error const&) {
    EXPECT_TRUE(how.memory_budget.has_value());
    how.memory_budget.reset();
    return oracle::build_list(p.x, p.box, p.cutoff, p.rules, how);
  }
}

template <class Real>
void compare(setting const& s, std::mt19937_64& engine) {
  auto const p = make_problem<Real>(s, engine);
  auto const expected = oracle::brute_force(p.x, p.box, p.cutoff, p.rules);
  oracle::build_settings how{.order = s[order] == 1 ? upsweep::row_order::sorted : upsweep::row_order::cells,
                             .memory_budget = s[budget] == 1 ? std::optional<std::size_t>(100000) : std::nullopt};
  auto list = build_within_budget(p, how);
  ASSERT_EQ(oracle::sorted(list.rows), oracle::sorted(expected));
  if (s[order] == 1) {
    ASSERT_EQ(list.rows, by_id(expected, p.rules));
  }
  if (s[nearest] == no_limit) {
    auto const visited = oracle::visited_rows(p, upsweep::neighbor_builder::automatic);
    ASSERT_EQ(s[order] == 1 ? by_id(visited, p.rules) : visited, list.rows) << "for_each_pair";
    ASSERT_EQ(oracle::visited_rows(p, upsweep::neighbor_builder::plain), visited) << "for_each_pair, plain";
  }
  if (s[sets] != two_sets && (s[sets] != ghosts || s[ids] != 0)) {
    ASSERT_EQ(list.hash, hash_of(expected, p.rules));
  }
  if (s[values] != no_values) {
    auto const all = values_of(list.rows, p);
    how = oracle::with_all_values(how);
    if (s[values] == some_values) {
      how.first_indices = engine() % 2 == 0;
      how.unwrapped_images = engine() % 2 == 0;
      how.displacements = engine() % 2 == 0;
      how.distances = engine() % 2 == 0 || !(how.first_indices || how.unwrapped_images || how.displacements);
      how.pair_images = engine() % 2 == 0;
    }
    auto const with_values = build_within_budget(p, how);
    ASSERT_EQ(with_values.values, kept(all, how)) << "values of pairs";
    list.values = with_values.values;
    if (!how.pair_images) {
      list.hash = 0;
      for (auto& row : list.rows)
        for (auto& [j, x, y, z] : row) x = y = z = 0;
    }
    ASSERT_EQ(with_values, list) << "values of pairs change the list";
  }
  how.rebuild = true;
  ASSERT_EQ(build_within_budget(p, how), list) << "a list that was another one before";
  how.narrow_ids = s[ids] == 1;
  ASSERT_EQ(build_within_budget(p, how), list) << "ids of 32 bits";
  how.rebuild = false;
  how.builder = upsweep::neighbor_builder::plain;
  ASSERT_EQ(build_within_budget(p, how), list) << "the plain builder makes another list";
}

template <class Real>
void compare_all(unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 engine(seed);
  std::set<std::array<int, 4>> met;
  for (int c = 0; c < 500; ++c) {
    auto const s = random_setting(engine);
    std::ostringstream trace;
    trace << "case " << c << ", levels";
    for (int level : s) trace << ' ' << level;
    SCOPED_TRACE(trace.str());
    ASSERT_NO_FATAL_FAILURE(compare<Real>(s, engine));
    for (int f = 0; f < factors; ++f)
      for (int g = 0; g < f; ++g) met.insert({f, s[f], g, s[g]});
  }
  std::size_t all = 0;
  for (int f = 0; f < factors; ++f)
    for (int g = 0; g < f; ++g) all += static_cast<std::size_t>(levels[f] * levels[g]);
  EXPECT_EQ(met.size(), all - 6) << "all but half lists of two sets and of the nearest";
}

TEST(neighbor_combinations, in_double) { compare_all<double>(1); }
TEST(neighbor_combinations, in_float) { compare_all<float>(2); }

/// Of the environment, or another one: UPSWEEP_TEST_SEED=12 asks for other cases.
unsigned first_seed() {
  char const* const given = std::getenv("UPSWEEP_TEST_SEED");
  return given == nullptr ? 1000 : static_cast<unsigned>(std::stoul(given));
}

template <class Real>
void compare_many_seeds() {
  constexpr unsigned seeds = 20;
  unsigned const first = first_seed();
  std::cout << "seeds " << first << " to " << first + seeds - 1 << '\n';
  for (unsigned s = first; s < first + seeds; ++s) ASSERT_NO_FATAL_FAILURE(compare_all<Real>(s));
}

TEST(long_neighbor_combinations, many_seeds_in_double) { compare_many_seeds<double>(); }
TEST(long_neighbor_combinations, many_seeds_in_float) { compare_many_seeds<float>(); }

}  // namespace
