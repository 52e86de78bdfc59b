// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A list with skin, narrowed, against a fresh build of the present positions: bit by bit.

#include "narrowed.hpp"

#include <upsweep/neighbors/narrowed_list.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

using narrowing::list_type;
using narrowing::narrowed_type;
using narrowing::plain_list;
using narrowing::points;
using narrowing::to_plain;
using narrowing::to_table;
using upsweep::row_order;

/// A system of particles, the options of its lists, and how its particles move.
template <class Real>
struct system_of {
  oracle::cell_box<Real> box;
  points<Real> x;
  Real cutoff, skin;
  std::int64_t queries = -1;  ///< not negative: two sets
  Kokkos::View<std::int64_t*, oracle::memory> ids, excluded_ids;
  Kokkos::View<int*, oracle::memory> types;
  Kokkos::View<double**, Kokkos::LayoutRight, oracle::memory> type_cutoffs, skin_type_cutoffs;
  Kokkos::View<double*, oracle::memory> radii, skin_radii;
  Kokkos::View<std::size_t*, oracle::memory> excluded_offsets;
  upsweep::neighbor_options options;  ///< of the list with skin
  upsweep::neighbor_options fresh_options;
  upsweep::narrow_options exact{.pair_images = true};

  void update(list_type<Real>& list, points<Real> const& now) const {
    if (queries < 0) return list.update(oracle::space{}, oracle::to_positions(now));
    auto const [first, second] = split(now);
    list.update(oracle::space{}, first, second);
  }
  void update(narrowed_type<Real>& exact_list, list_type<Real> const& list, points<Real> const& now) const {
    if (queries < 0) return exact_list.update(oracle::space{}, list, oracle::to_positions(now));
    auto const [first, second] = split(now);
    exact_list.update(oracle::space{}, list, first, second);
  }

 private:
  auto split(points<Real> const& all) const {
    auto const middle = all.begin() + static_cast<std::ptrdiff_t>(queries);
    return std::pair(oracle::to_positions(points<Real>(all.begin(), middle)),
                     oracle::to_positions(points<Real>(middle, all.end())));
  }
};

/// Random choices, all from one engine.
class choices {
 public:
  explicit choices(std::mt19937_64& engine) : engine_(engine) {}
  int pick(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }
  double real(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
  bool one_in(int n) { return pick(1, n) == 1; }
  std::mt19937_64& engine() { return engine_; }

 private:
  std::mt19937_64& engine_;
};

template <class Real>
system_of<Real> make_system(choices& c) {
  system_of<Real> s;
  int const shape = c.pick(0, 2), sets = c.pick(0, 2);
  for (int d = 0; d < 3; ++d) {
    s.box.lo[d] = Real(c.pick(-8, 8)) / 4;
    s.box.hi[d] = s.box.lo[d] + Real(c.pick(4, 20)) / 4;
    s.box.periodic[d] = !c.one_in(4);
    int const lean = shape == 0 ? 0 : shape == 1 ? c.pick(-4, 4) : c.pick(-30, 30);
    s.box.tilt[d] = Real(lean) / 4;
  }
  Real const shortest = std::min({s.box.length(0), s.box.length(1), s.box.length(2)});
  s.cutoff = shortest * Real(c.real(0.25, 1.8));
  s.skin = s.cutoff * Real(c.real(0.05, 0.4));
  constexpr std::size_t sizes[] = {1, 2, 33, 90, 150};
  std::size_t const n = sizes[c.pick(0, 4)];
  s.x = oracle::uniform_points(n, s.box, static_cast<unsigned>(c.engine()()));
  std::size_t rows = n;
  auto& o = s.options;
  o.pair_images = true;
  o.order = c.one_in(4) ? row_order::cells : row_order::sorted;
  o.half = sets != 1 && c.one_in(2);
  o.builder = c.one_in(4) ? upsweep::neighbor_builder::plain : upsweep::neighbor_builder::automatic;
  if (sets == 1) {
    s.queries = c.pick(0, int(n));
    rows = static_cast<std::size_t>(s.queries);
  }
  if (sets == 2) o.rows = static_cast<std::int64_t>(rows = static_cast<std::size_t>(c.pick(0, int(n))));
  if (c.one_in(2)) {
    std::vector<std::int64_t> ids(n);
    std::iota(ids.begin(), ids.end(), -7);
    std::shuffle(ids.begin(), ids.end(), c.engine());
    o.ids = s.ids = oracle::to_device(ids);
  }
  o.newton = !o.half || (o.rows < 0 ? c.one_in(2) : o.ids.given() && c.one_in(2));
  if (c.one_in(3)) {
    std::vector<std::size_t> offsets{0};
    std::vector<std::int64_t> partners;
    for (std::size_t i = 0; i < rows; ++i) {
      for (int k = c.pick(0, 2); k > 0; --k) partners.push_back(c.pick(0, int(n) - 1));
      offsets.push_back(partners.size());
    }
    o.exclusions.offsets = s.excluded_offsets = oracle::to_device(offsets);
    o.exclusions.ids = s.excluded_ids = oracle::to_device(partners);
  }
  s.fresh_options = o;
  bool const limited = c.one_in(2);  // the list with skin, too
  if (c.one_in(3)) {
    std::vector<int> types(n);
    for (int& t : types) t = c.pick(0, 2);
    std::vector<double> table(9), larger(9);
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        table[3 * a + b] = table[3 * b + a] = double(s.cutoff) * c.pick(0, 4) / 4;
        larger[3 * a + b] = larger[3 * b + a] = std::min(table[3 * a + b] + double(s.skin), double(s.cutoff + s.skin));
      }
    s.types = oracle::to_device(types);
    s.type_cutoffs = to_table(table, 3);
    s.skin_type_cutoffs = to_table(larger, 3);
    s.exact.types = s.fresh_options.types = s.types;
    s.exact.type_cutoffs = s.fresh_options.type_cutoffs = s.type_cutoffs;
    if (limited) {
      o.types = s.types;
      o.type_cutoffs = s.skin_type_cutoffs;
    }
  }
  if (c.one_in(3)) {
    std::vector<double> radii(n), larger(n);
    for (std::size_t i = 0; i < n; ++i) {
      radii[i] = double(s.cutoff) * c.pick(0, 6) / 8;
      larger[i] = radii[i] + double(s.skin) / 2;
    }
    s.radii = oracle::to_device(radii);
    s.skin_radii = oracle::to_device(larger);
    s.exact.radii = s.fresh_options.radii = s.radii;
    if (limited) o.radii = s.skin_radii;
  }
  if (o.types.given() || o.radii.given()) s.exact.skin = double(s.skin);
  return s;
}

/// Every particle moves by up to `most`, where it then is in the box or can be wrapped into it. All move by whole
/// edges, too, or are wrapped, or neither.
template <class Real>
points<Real> moved(system_of<Real> const& s, double most, choices& c) {
  auto const box = oracle::to_box(s.box);
  bool const jumps = c.one_in(2), wraps = c.one_in(2);
  auto now = s.x;
  for (auto& p : now) {
    auto q = p;
    double const length = most / std::sqrt(3.0) * 0.999;
    for (auto& x : q) x += Real(c.real(-length, length));
    if (jumps)
      for (int d = 0; d < 3; ++d)
        if (Real const k = Real(c.pick(-2, 2)); s.box.periodic[d])
          for (int e = 0; e < 3; ++e) q[e] += k * s.box.edge(d)[e];
    if (box.fault({q[0], q[1], q[2]})) continue;
    if (wraps) q = oracle::wrapped_by_library(s.box, points<Real>{q})[0];
    p = q;
  }
  return now;
}

/// The rows of a list by (neighbour, image).
std::vector<std::vector<std::pair<int, std::array<int, 3>>>> sorted_rows(plain_list const& list) {
  std::vector<std::vector<std::pair<int, std::array<int, 3>>>> rows(list.offsets.size() - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k)
      rows[i].emplace_back(list.neighbors[k], list.images[k]);
    std::sort(rows[i].begin(), rows[i].end());
  }
  return rows;
}

/// Whether each row's neighbours are some of the other's, in its order.
bool in_order_of(plain_list const& part, plain_list const& whole) {
  for (std::size_t i = 0; i + 1 < part.offsets.size(); ++i) {
    std::size_t k = whole.offsets[i];
    for (std::size_t p = part.offsets[i]; p < part.offsets[i + 1]; ++p, ++k) {
      while (k < whole.offsets[i + 1] && whole.neighbors[k] != part.neighbors[p]) ++k;
      if (k == whole.offsets[i + 1]) return false;
    }
  }
  return true;
}

template <class Real>
void compare_combinations(unsigned seed, int cases) {
  std::mt19937_64 engine(seed);
  choices c(engine);
  std::size_t pairs = 0, left_out = 0, imaged = 0;
  for (int k = 0; k < cases; ++k) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", case " + std::to_string(k));
    auto const s = make_system<Real>(c);
    auto const box = oracle::to_box(s.box);
    list_type<Real> list(oracle::space{}, box, s.cutoff + s.skin, s.options);
    s.update(list, s.x);
    narrowed_type<Real> exact(oracle::space{}, s.cutoff, s.exact);
    for (int step = 0; step < 3; ++step) {
      auto const now = moved(s, 0.49 * double(s.skin), c);
      s.update(exact, list, now);
      list_type<Real> fresh(oracle::space{}, box, s.cutoff, s.fresh_options);
      s.update(fresh, now);
      auto const got = to_plain(exact), expected = to_plain(fresh);
      ASSERT_EQ(exact.pairs(), fresh.pairs());
      ASSERT_EQ(exact.rows(), fresh.rows());
      if (s.options.order == row_order::sorted) {
        ASSERT_EQ(got, expected);
      } else {
        ASSERT_EQ(got.offsets, expected.offsets);
        ASSERT_EQ(sorted_rows(got), sorted_rows(expected));
        ASSERT_TRUE(in_order_of(got, to_plain(list)));
      }
      pairs += exact.pairs();
      left_out += list.pairs() - exact.pairs();
      imaged += std::size_t(std::count_if(got.images.begin(), got.images.end(),
                                          [](auto const& im) { return im != std::array<int, 3>{}; }));
    }
  }
  // They would show what is wrong.
  EXPECT_GT(pairs, 100u * unsigned(cases));
  EXPECT_GT(left_out, 50u * unsigned(cases));
  EXPECT_GT(imaged, 50u * unsigned(cases));
}

TEST(narrowed_list, combinations_in_double) { compare_combinations<double>(1, 200); }
TEST(narrowed_list, combinations_in_float) { compare_combinations<float>(2, 200); }
TEST(long_narrowed_list, many_combinations) {
  for (unsigned seed = 10; seed < 30; ++seed) {
    ASSERT_NO_FATAL_FAILURE(compare_combinations<double>(seed, 300));
    ASSERT_NO_FATAL_FAILURE(compare_combinations<float>(seed, 300));
  }
}

// ---- a Lennard-Jones liquid

/// Particles of a melting fcc crystal: velocity Verlet, shifted forces within the cutoff by the narrowed list.
class lennard_jones {
 public:
  lennard_jones(int cells, double cutoff)
      : cutoff_(cutoff), length_(std::cbrt(4 / 0.8442) * cells), box_({0, 0, 0}, {length_, length_, length_}) {
    double const a = length_ / cells;
    std::mt19937_64 engine(5);
    std::normal_distribution<double> normal(0, std::sqrt(1.44));
    for (int i = 0; i < 4 * cells * cells * cells; ++i) {
      int const cell = i / 4, of = i % 4;
      x_.push_back({a * (cell % cells + (of == 1 || of == 2 ? 0.5 : 0)),
                    a * (cell / cells % cells + (of == 1 || of == 3 ? 0.5 : 0)),
                    a * (cell / cells / cells + (of == 2 || of == 3 ? 0.5 : 0))});
      v_.push_back({normal(engine), normal(engine), normal(engine)});
    }
    f_.assign(x_.size(), {});
  }

  points<double> const& x() const { return x_; }
  upsweep::box<double> const& box() const { return box_; }

  void step(plain_list const& list) {
    constexpr double dt = 0.004;
    forces(list);
    for (std::size_t i = 0; i < x_.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d) {
        v_[i][d] += dt * f_[i][d];
        x_[i][d] += dt * v_[i][d];
      }
  }

 private:
  void forces(plain_list const& list) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      f_[i] = {};
      auto const own = box_.wrap({x_[i][0], x_[i][1], x_[i][2]});
      for (std::size_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
        auto const& p = x_[std::size_t(list.neighbors[k])];
        auto const other = box_.wrap({p[0], p[1], p[2]});
        auto const [z, y, x] = list.images[k];
        auto const shift = box_.shift({x, y, z});
        std::array<double, 3> way{};
        double r2 = 0;
        for (std::size_t d = 0; d < 3; ++d) {
          way[d] = other[d] - own[d] + shift[d];
          r2 += way[d] * way[d];
        }
        double const r6 = 1 / (r2 * r2 * r2);
        for (std::size_t d = 0; d < 3; ++d) f_[i][d] -= 24 * r6 * (2 * r6 - 1) / r2 * way[d];
      }
    }
  }

  double cutoff_, length_;
  upsweep::box<double> box_;
  points<double> x_, v_, f_;
};

/// Each step's list is a fresh build's; the list with skin is rebuilt when it has to be.
void run_lennard_jones(int cells, int steps) {
  double const cutoff = 2.5, skin = 0.3;
  oracle::space const space;
  lennard_jones liquid(cells, cutoff);
  upsweep::neighbor_options const options{.pair_images = true, .order = row_order::sorted};
  list_type<double> list(space, liquid.box(), cutoff + skin, options), fresh(space, liquid.box(), cutoff, options);
  narrowed_type<double> exact(space, cutoff, {.pair_images = true});
  auto at_build = oracle::to_positions(liquid.x());
  list.update(space, at_build);
  int builds = 0;
  for (int step = 0; step < steps; ++step) {
    auto const x = oracle::to_positions(liquid.x());
    if (upsweep::needs_rebuild(space, x, at_build, liquid.box(), liquid.box(), cutoff, skin)) {
      ++builds;
      list.update(space, x);
      at_build = x;
    }
    exact.update(space, list, x);
    fresh.update(space, x);
    auto const got = to_plain(exact);
    ASSERT_EQ(got, to_plain(fresh)) << "step " << step;
    liquid.step(got);
  }
  EXPECT_GT(builds, steps / 50);
  EXPECT_LT(builds, steps / 3);
}

TEST(narrowed_list, is_a_fresh_list_in_each_step_of_a_liquid) { run_lennard_jones(6, 40); }
TEST(long_narrowed_list, is_a_fresh_list_in_each_of_1000_steps_of_a_liquid) { run_lennard_jones(10, 1000); }

TEST(narrowed_list, at_exactly_the_cutoff) {
  oracle::space const space;
  upsweep::box<double> const box({0, 0, 0}, {20, 20, 20}, {false, false, false});
  auto const x = oracle::to_positions<double>({{5, 5, 5}, {7, 5, 5}, {5, 8, 5}});
  list_type<double> const skin(space, x, box, 3.5, {.pair_images = true});
  for (bool include : {true, false}) {
    narrowed_type<double> exact(space, 3, {.pair_images = true, .include_cutoff = include});
    exact.update(space, skin, x);
    list_type<double> const fresh(space, x, box, 3, {.pair_images = true, .include_cutoff = include});
    EXPECT_EQ(exact.pairs(), include ? 4u : 2u);
    EXPECT_EQ(to_plain(exact), to_plain(fresh));
  }
}

/// Boxes of any edges, also left-handed and with open directions.
TEST(narrowed_list, in_boxes_of_edges) {
  oracle::space const space;
  std::mt19937_64 engine(11);
  choices c(engine);
  upsweep::neighbor_options const options{.pair_images = true, .order = row_order::sorted};
  for (int k = 0; k < 30; ++k) {
    using vector = upsweep::box<double>::vector;
    vector const a{4 + c.real(0, 2), c.real(-2, 2), c.real(-2, 2)}, b{c.real(-2, 2), 4 + c.real(0, 2), c.real(-2, 2)},
        e{c.real(-2, 2), c.real(-2, 2), k % 2 == 0 ? -5.0 : 5.0};
    auto const box = upsweep::box<double>::of_edges(a, b, e, {true, k % 3 != 0, k % 5 != 0});
    points<double> x(80), now;
    for (auto& p : x) p = {c.real(-5, 9), c.real(-5, 9), c.real(-5, 9)};
    for (auto const& p : x)
      now.push_back({p[0] + c.real(-.08, .08), p[1] + c.real(-.08, .08), p[2] + c.real(-.08, .08)});
    list_type<double> const skin(space, oracle::to_positions(x), box, 2.4, options),
        fresh(space, oracle::to_positions(now), box, 2.1, options);
    narrowed_type<double> exact(space, 2.1, {.pair_images = true});
    exact.update(space, skin, oracle::to_positions(now));
    ASSERT_EQ(to_plain(exact), to_plain(fresh)) << "box " << k;
    ASSERT_GT(exact.pairs(), 100u);
  }
}

}  // namespace
