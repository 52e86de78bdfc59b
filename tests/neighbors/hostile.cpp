// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Inputs that are rare, extreme or wrong: the right list, or a typed error that says what is wrong.

#include "boxes.hpp"
#include "host_list.hpp"

#include <upsweep/base/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>

namespace {

using oracle::build_list;
using oracle::cell_box;
using oracle::pair_rules;
using oracle::points;

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<bool, 3> open{false, false, false}, closed{true, true, true};

template <class Real>
void compare(points<Real> const& x, cell_box<Real> const& box, Real cutoff, pair_rules const& rules = {}) {
  auto const expected = oracle::sorted(oracle::brute_force(x, box, cutoff, rules));
  auto const list = build_list(x, box, cutoff, rules);
  EXPECT_EQ(oracle::sorted(list.rows), expected);
  EXPECT_EQ(build_list(x, box, cutoff, rules, {.builder = upsweep::neighbor_builder::plain}), list);
}

template <class Real>
void compare_all_boundaries(points<Real> const& x, cell_box<Real> box, Real cutoff) {
  for (int bits = 0; bits < 8; ++bits) {
    SCOPED_TRACE("boundaries " + std::to_string(bits));
    for (std::size_t d = 0; d < 3; ++d) box.periodic[d] = bits >> d & 1;
    compare(x, box, cutoff);
  }
}

/// What the call throws as a precondition_error; other errors pass through and fail the test.
template <class Real>
std::string refusal(points<Real> const& x, cell_box<Real> const& box, Real cutoff, pair_rules const& rules = {}) {
  try {
    build_list(x, box, cutoff, rules);
  } catch (upsweep::precondition_error const& e) {
    return e.what();
  }
  return "nothing thrown";
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// ---- dense cells and empty ones

TEST(hostile_neighbors, all_particles_in_one_cell) {
  cell_box<double> const corner{{4, 4, 4}, {4.4, 4.4, 4.4}, open};
  compare_all_boundaries(oracle::uniform_points(300, corner, 1), {{0, 0, 0}, {10, 10, 10}, {}}, 1.0);
}

TEST(hostile_neighbors, all_particles_coincide) {
  std::size_t const n = 2500;
  points<double> const x(n, {2, 2, 2});
  for (auto builder : {upsweep::neighbor_builder::automatic, upsweep::neighbor_builder::plain}) {
    auto const list = build_list(x, {{0, 0, 0}, {9, 9, 9}, closed}, 1.0, {}, {.builder = builder});
    EXPECT_EQ(list.pairs, n * (n - 1));
    EXPECT_EQ(list.largest_row, n - 1);
    // In one cell, rows are in the order of ids.
    for (std::size_t i = 0; i < n; i += 499) {
      oracle::neighbor_rows::value_type others;
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) others.emplace_back(int(j), 0, 0, 0);
      EXPECT_EQ(list.rows[i], others);
    }
  }
}

TEST(hostile_neighbors, coincident_particles_and_their_images) {
  compare_all_boundaries(points<double>(40, {0.5, 0.25, 0}), {{0, 0, 0}, {1, 1, 1}, {}, {0.5, 0, -1.25}}, 1.0);
  pair_rules half;
  half.half = true;
  compare(points<double>(40, {0, 0, 0}), {{0, 0, 0}, {1, 1, 1}, closed}, 1.0, half);
}

TEST(hostile_neighbors, one_particle) {
  points<double> const x{{0.25, 0.5, 0.75}};
  EXPECT_EQ(build_list(x, {{0, 0, 0}, {1, 1, 1}, open}, 5.0).pairs, 0u);
  // Points of the cubic lattice within 1 and 2.5 of one of them.
  EXPECT_EQ(build_list(x, {{0, 0, 0}, {1, 1, 1}, closed}, 1.0).pairs, 6u);
  EXPECT_EQ(build_list(x, {{0, 0, 0}, {1, 1, 1}, closed}, 2.5).pairs, 80u);
  pair_rules half;
  half.half = true;
  EXPECT_EQ(build_list(x, {{0, 0, 0}, {1, 1, 1}, closed}, 2.5, half).pairs, 40u);
  // The same lattice by other edges: a tilt by a whole edge changes only the images' names.
  EXPECT_EQ(build_list(x, {{0, 0, 0}, {1, 1, 1}, closed, {3, -2, 1}}, 2.5).pairs, 80u);
}

TEST(hostile_neighbors, empty_sets) {
  for (auto const& tilt : {std::array<double, 3>{}, std::array<double, 3>{1, 2, 3}})
    for (auto const& periodic : {open, closed}) {
      cell_box<double> const box{{0, 0, 0}, {1, 1, 1}, periodic, tilt};
      auto const list = build_list<double>({}, box, 3.0);
      EXPECT_EQ(list, (oracle::host_list{}));
      pair_rules half;
      half.half = true;
      half.rows = 0;
      half.excluded_offsets = {0};
      EXPECT_EQ(build_list<double>({}, box, 3.0, half), (oracle::host_list{}));
      pair_rules queries;
      queries.queries = 0;
      EXPECT_EQ(build_list<double>({{0, 0, 0}}, box, 3.0, queries).rows.size(), 0u);
      queries.queries = 1;
      EXPECT_EQ(build_list<double>({{0, 0, 0}}, box, 3.0, queries).rows, (oracle::neighbor_rows(1)));
    }
}

TEST(hostile_neighbors, no_rows_among_candidates) {
  pair_rules none;
  none.rows = 0;
  auto const x = oracle::uniform_points(50, cell_box<double>{{0, 0, 0}, {5, 5, 5}, open}, 1);
  EXPECT_EQ(build_list(x, {{0, 0, 0}, {5, 5, 5}, closed}, 2.0, none), (oracle::host_list{}));
}

TEST(hostile_neighbors, a_million_to_one) {
  cell_box<double> const rod{{0, 0, 0}, {1e6, 1, 1}, {}};
  auto x = oracle::uniform_points(120, rod, 2);
  for (std::size_t i = 0; i < 40; ++i) x[i][0] = 999990 + double(i) / 4;
  compare_all_boundaries(x, rod, 2.25);
  cell_box<double> const plate{{0, 0, 0}, {1e6, 1e-6, 1e6}, {}};
  auto y = oracle::uniform_points(60, plate, 3);
  for (auto& p : y) p[0] *= 1e-11, p[2] *= 1e-11;
  compare_all_boundaries(y, plate, 4e-6);
}

TEST(hostile_neighbors, sparse_beyond_measure) {
  cell_box<double> const sky{{0, 0, 0}, {1e12, 1e12, 1e12}, {}};
  auto x = oracle::uniform_points(60, sky, 4);
  for (std::size_t i = 0; i < 30; ++i) x.push_back({x[i][0] + 1e-3, x[i][1], x[i][2]});
  compare_all_boundaries(x, sky, 2e-3);
}

// Hit masks in pieces; a piece is at least a group of particles, whose masks may be too many.
TEST(hostile_neighbors, little_memory) {
  cell_box<double> const box{{0, 0, 0}, {14, 15, 16}, {true, true, false}};
  auto const x = oracle::uniform_points(3000, box, 11);
  auto const expected = build_list(x, box, 1.9, {}, {.builder = upsweep::neighbor_builder::plain});
  for (std::size_t budget : {1000000, 100000, 30000, 10000})
    EXPECT_EQ(build_list(x, box, 1.9, {}, {.memory_budget = budget}), expected) << budget;
  using upsweep::neighbor_builder;
  EXPECT_EQ(build_list(x, box, 1.9, {}, {.builder = neighbor_builder::plain, .memory_budget = 1000000}), expected);
  EXPECT_THROW(build_list(x, box, 1.9, {}, {.builder = neighbor_builder::plain, .memory_budget = 4}),
               upsweep::out_of_memory_error);
  EXPECT_THROW(build_list(x, box, 1.9, {}, {.memory_budget = 0}), upsweep::out_of_memory_error);
  try {
    EXPECT_EQ(build_list(x, box, 1.9, {}, {.memory_budget = 4}), expected);
  } catch (upsweep::out_of_memory_error const& e) {
    EXPECT_SAYS(std::string(e.what()), "the memory budget allows 4");
  }
}

// ---- borders and extremes of numbers

TEST(hostile_neighbors, positions_on_borders) {
  double const below = std::nextafter(3.0, 0.0);
  points<double> x;
  for (double a : {0.0, -0.0, 1.0, 1.5, below, 3.0})
    for (double b : {0.0, 2.0, below, 3.0})
      for (double c : {0.0, below, 3.0}) x.push_back({a, b, c});
  for (double cutoff : {1.0, 1.5, 3.0, 3.5}) {
    compare_all_boundaries(x, {{0, 0, 0}, {3, 3, 3}, {}}, cutoff);
    compare(x, {{0, 0, 0}, {3, 3, 3}, closed, {1.5, -3, 0.75}}, cutoff);
  }
  x.push_back({-1e-300, -5e-324, 1e-320});
  compare(x, {{0, 0, 0}, {3, 3, 3}, closed}, 1.5);
  compare(x, {{0, 0, 0}, {3, 3, 3}, closed, {1.5, -3, 0.75}}, 1.5);
}

TEST(hostile_neighbors, far_from_the_origin) {
  cell_box<double> const box{{1e15, -1e15, 1e15}, {1e15 + 64, -1e15 + 64, 1e15 + 64}, {}};
  compare_all_boundaries(oracle::uniform_points(200, box, 5), box, 8.0);
  compare_all_boundaries(oracle::uniform_points(60, box, 6), box, 80.0);
  cell_box<float> const coarse{{1e15f, -1e15f, 1e15f}, {1.00001e15f, -0.99999e15f, 1.00001e15f}, {}};
  compare_all_boundaries(oracle::uniform_points(200, coarse, 7), coarse, 2e9f);
}

TEST(hostile_neighbors, nearly_as_large_as_numbers_get) {
  cell_box<double> const box{{-8e307, -8e307, -8e307}, {8e307, 8e307, 8e307}, {}};
  auto x = oracle::uniform_points(30, box, 8);
  x.push_back(x[3]);
  x.push_back({x[4][0], x[4][1] * 0.999999999999, x[4][2]});
  compare_all_boundaries(x, box, 1e150);
  cell_box<float> const small{{-1e38f, -1e38f, -1e38f}, {1e38f, 1e38f, 1e38f}, {}};
  compare_all_boundaries(oracle::uniform_points(30, small, 9), small, 1e18f);
}

TEST(hostile_neighbors, as_small_as_numbers_get) {
  float const tiny = std::numeric_limits<float>::denorm_min();
  points<float> x;
  for (int i = 0; i < 20; ++i) x.push_back({tiny * float(i), tiny * float(i % 3), 0});
  compare_all_boundaries(x, {{0, 0, 0}, {1, 1, 1}, {}}, 0.25f);
  points<double> y;
  for (int i = 0; i < 20; ++i) y.push_back({5e-324 * i, 0, 1e-310 * i});
  compare_all_boundaries(y, {{0, 0, 0}, {1, 1, 1}, {}}, 0.25);
}

TEST(hostile_neighbors, extreme_ids) {
  auto const low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
  pair_rules rules;
  rules.ids = {low, high, low + 1, high - 1, 0, -1, 1};
  for (bool half : {false, true}) {
    rules.half = half;
    compare(points<double>(7, {0.5, 0.5, 0.5}), {{0, 0, 0}, {1, 1, 1}, closed}, 1.0, rules);
  }
}

// ---- tilted boxes and roundings

/// Particles at all multiples of the edges over n.
template <class Real>
points<Real> sites(cell_box<Real> const& box, int n) {
  points<Real> x;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        Real const f[3] = {Real(i) / Real(n), Real(j) / Real(n), Real(k) / Real(n)};
        auto p = box.lo;
        for (int d = 0; d < 3; ++d)
          for (std::size_t c = 0; c < 3; ++c) p[c] += f[d] * box.edge(d)[c];
        x.push_back(p);
      }
  return x;
}

template <class Real>
void images_fit(cell_box<Real> const& box, Real cutoff) {
  auto const x = sites(box, 20), w = oracle::wrapped_by_library(box, x);
  auto const list = build_list(w, box, cutoff);
  EXPECT_EQ(list, build_list(x, box, cutoff)) << "wrapping first makes another list";
  auto const limits = oracle::to_box(box);
  Real longest = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    for (auto const& [j, sx, sy, sz] : list.rows[i]) {
      auto const shift = limits.shift(upsweep::image(sx, sy, sz));
      auto const& to = w[static_cast<std::size_t>(j)];
      longest = std::max(
          longest, std::hypot(to[0] - w[i][0] + shift[0], to[1] - w[i][1] + shift[1], to[2] - w[i][2] + shift[2]));
    }
  EXPECT_LE(longest, cutoff * Real(1.000001));
  EXPECT_GT(list.pairs, x.size());
}

// Many of these sites are within a rounding of a border.
TEST(hostile_neighbors, images_fit_positions_that_the_caller_wrapped) {
  images_fit<double>({{0, 0, 0}, {37.3, 34.1, 35.7}, closed, {7.1, -5.3, 4.7}}, 1.87);
  images_fit<double>({{-3.7, 1.1, 1000.3}, {33.6, 35.2, 1036}, closed, {-17.1, 5.3, 14.7}}, 1.87);
  images_fit<float>({{0, 0, 0}, {37.3f, 34.1f, 35.7f}, closed, {7.1f, -5.3f, 4.7f}}, 1.87f);
}

TEST(hostile_neighbors, atoms_on_the_faces_of_open_tilted_boxes) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> real(-1, 1);
  for (int b = 0; b < 200; ++b) {
    cell_box<double> box{
        {}, {}, {b % 2 == 0, b % 3 == 0, b % 5 == 0}, {3 * real(random), 3 * real(random), 3 * real(random)}};
    for (std::size_t d = 0; d < 3; ++d) {
      box.lo[d] = 10 * real(random);
      box.hi[d] = box.lo[d] + 4 + 2 * real(random);
    }
    ASSERT_EQ(refusal(sites(box, 4), box, 1.5), "nothing thrown") << "box " << b;
  }
}

// Coordinates have few digits here; cells must not be wider for it than they need to be.
TEST(hostile_neighbors, far_away_tilted_boxes_in_float) {
  for (auto const& periodic :
       {closed, std::array<bool, 3>{true, false, true}, std::array<bool, 3>{false, true, true}}) {
    cell_box<float> const flat{{-2000, 20000, 3000}, {-1800, 20002, 3005}, periodic, {500, -45, 20}};
    compare(oracle::uniform_points(400, flat, 12), flat, 0.5f);
  }
}

// ---- the limit of images

TEST(hostile_neighbors, most_images) {
  points<double> const x{{0.5, 0.5, 0.5}};
  cell_box<double> const box{{0, 0, 0}, {1, 1e6, 1e6}, {true, false, false}};
  auto const list = build_list(x, box, 510.5);
  EXPECT_EQ(list.pairs, 1020u);
  EXPECT_EQ(std::get<1>(list.rows[0].front()), -510);
  EXPECT_EQ(std::get<1>(list.rows[0].back()), 510);
  auto const message = refusal(x, box, 512.5);
  EXPECT_SAYS(message, "the cutoff of 512.5");
  EXPECT_SAYS(message, "images of the box in direction x, which is 1 long");
  EXPECT_SAYS(message, "at most 511 are supported");
  EXPECT_SAYS(refusal(x, {{0, 0, 0}, {1e6, 1e6, 1e-6}, closed}, 1.0), "in direction z");
  // Leaning makes the box thinner than its edges are long.
  EXPECT_SAYS(refusal(x, {{0, 0, 0}, {1, 1e6, 1}, closed, {0, 1000, 0}}, 1.0), "at most 511 are supported");
  EXPECT_SAYS(refusal(x, {{0, 0, 0}, {1, 1, 1}, closed}, 1e100), "at most 511 are supported");
  EXPECT_SAYS(refusal<float>({{0, 0, 0}}, {{0, 0, 0}, {1, 1, 1}, closed}, 1e15f), "at most 511 are supported");
}

// ---- what is refused

TEST(hostile_neighbors, particles_that_are_nowhere) {
  cell_box<double> const box{{0, 0, 0}, {5, 5, 5}, closed},
      leaning{{0, 0, 0}, {5, 5, 5}, {true, true, false}, {1, 2, 3}};
  auto const good = oracle::uniform_points(60, box, 10);
  for (double bad : {nan, inf, -inf})
    for (std::size_t d = 0; d < 3; ++d) {
      auto x = good;
      x[59][d] = bad;
      x[7][d] = bad;
      EXPECT_SAYS(refusal(x, box, 1.0), "particle 7 at (");
      EXPECT_SAYS(refusal(x, leaning, 1.0), "particle 7 at (");
    }
  points<float> f(9, {1, 1, 1});
  f[8][1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_SAYS(refusal(f, {{0, 0, 0}, {5, 5, 5}, closed}, 1.0f), "particle 8 at (");

  points<double> x{{2, 2, 2}, {4, 4, 5.5}};
  EXPECT_SAYS(refusal(x, leaning, 1.0), "particle 1 at (4, 4, 5.5) is outside of the box in the open direction z");
  EXPECT_SAYS(refusal(x, {{0, 0, 0}, {5, 5, 5}, open}, 1.0), "outside of the box in the open direction z");
  // Inside of a leaning box whose edges in x are open, although beyond hi, and the other way round.
  cell_box<double> const slanted{{0, 0, 0}, {5, 5, 5}, {false, true, true}, {0, 5, 0}};
  EXPECT_EQ(refusal({{7, 1, 4.5}}, slanted, 1.0), "nothing thrown");
  EXPECT_SAYS(refusal({{1, 1, 4.5}}, slanted, 1.0),
              "particle 0 at (1, 1, 4.5) is outside of the box in the open direction x");
}

TEST(hostile_neighbors, particles_too_far_away_to_wrap) {
  for (auto const& tilt : {std::array<double, 3>{}, std::array<double, 3>{1, 2, 3}}) {
    cell_box<double> const box{{0, 0, 0}, {5, 5, 5}, closed, tilt};
    for (double far : {1e300, -1e300, 1e11})
      EXPECT_SAYS(refusal({{1, 1, 1}, {2, 2, far}}, box, 1.0),
                  "edges away in the periodic direction z: rounding has lost");
    EXPECT_EQ(refusal({{1, 1, 1}, {2, 2, 1e9}}, box, 1.0), "nothing thrown");
  }
}

TEST(hostile_neighbors, cutoffs_that_are_none) {
  points<double> const x(3, {1, 1, 1});
  cell_box<double> const box{{0, 0, 0}, {5, 5, 5}, closed};
  for (double cutoff : {0.0, -0.0, -1.0, nan, inf, -inf})
    EXPECT_SAYS(refusal(x, box, cutoff), "it must be positive and finite");
  for (float cutoff : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_SAYS(refusal<float>({{1, 1, 1}}, {{0, 0, 0}, {5, 5, 5}, closed}, cutoff), "it must be positive and finite");
}

// Pairs are chosen by squares: where those of cutoffs overflow or vanish, no list would be right.
TEST(hostile_neighbors, cutoffs_whose_square_is_no_number) {
  cell_box<double> const box{{0, 0, 0}, {5, 5, 5}, open};
  for (double cutoff : {1e155, 1e300, 1e-155, 1e-300, 5e-324})
    EXPECT_SAYS(refusal({{1, 1, 1}}, box, cutoff), "the square of the cutoff");
  for (float cutoff : {2e19f, 1e30f, 1e-20f, 1e-40f})
    EXPECT_SAYS(refusal<float>({{1, 1, 1}}, {{0, 0, 0}, {5, 5, 5}, open}, cutoff), "the square of the cutoff");
  EXPECT_EQ(refusal<float>({{1, 1, 1}}, {{0, 0, 0}, {5, 5, 5}, open}, 1.8e19f), "nothing thrown");
  EXPECT_EQ(refusal<float>({{1, 1, 1}}, {{0, 0, 0}, {5, 5, 5}, open}, 1.1e-19f), "nothing thrown");
}

/// What is said of four particles and the rules that `set` makes.
std::string says(auto const& set) {
  pair_rules rules;
  set(rules);
  return refusal(points<double>(4, {1, 1, 1}), {{0, 0, 0}, {5, 5, 5}, closed}, 1.0, rules);
}

TEST(hostile_neighbors, options_of_another_size) {
  EXPECT_SAYS(says([](auto& r) { r.rows = 5; }), "rows = 5 of only 4");
  EXPECT_SAYS(says([](auto& r) { r.ids = {1, 2, 3}; }), "ids has 3 entries for 4 particles");
  EXPECT_SAYS(says([](auto& r) { r.images.resize(5); }), "images has 5 entries for 4 particles");
  EXPECT_SAYS(says([](auto& r) { r.radii = {1, 1, 1, 1, 1}; }), "radii has 5 entries for 4 particles");
  EXPECT_SAYS(says([](auto& r) { r.types = {0}, r.type_cutoffs = {{1}}; }), "types has 1 entries for 4 particles");
  EXPECT_SAYS(says([](auto& r) { r.types = {0, 0, 0, 0}; }), "types and type_cutoffs");
  EXPECT_SAYS(says([](auto& r) { r.type_cutoffs = {{1}}; }), "types and type_cutoffs");
  EXPECT_SAYS(says([](auto& r) { r.types = {0, 0, 0, 0}, r.type_cutoffs = {{1, 1}}; }),
              "type_cutoffs is 1 by 2; it must be square");
  EXPECT_SAYS(says([](auto& r) { r.excluded_offsets = {0, 0, 0, 0}; }), "exclusions.offsets has 4 entries for 4 rows");
  EXPECT_SAYS(says([](auto& r) { r.excluded_offsets = {0, 0, 0, 0, 0}, r.rows = 2; }),
              "exclusions.offsets has 5 entries for 2 rows");
  EXPECT_SAYS(says([](auto& r) { r.queries = 2, r.radii = {1, 1}; }), "radii has 2 entries for 4 particles");
  EXPECT_SAYS(says([](auto& r) { r.queries = 2, r.half = true; }), "two sets");
}

TEST(hostile_neighbors, options_with_bad_values) {
  auto const typed = [&](std::vector<int> const& types, std::vector<std::vector<double>> const& table) {
    return says([&](auto& r) { r.types = types, r.type_cutoffs = table; });
  };
  EXPECT_SAYS(typed({0, 1, 2, 0}, {{1, 1}, {1, 1}}),
              "particle 2 has type 2; types start at 0, and type_cutoffs has 2 of them");
  EXPECT_SAYS(typed({0, 1, 1, -1}, {{1, 1}, {1, 1}}), "particle 3 has type -1");
  EXPECT_SAYS(typed({0, 0, 0, 0}, {{1, 0.5}, {0.25, 1}}), "type_cutoffs(0, 1) = 0.5");
  EXPECT_SAYS(typed({0, 0, 0, 0}, {{1, 2}, {2, 1}}), "type_cutoffs(0, 1) = 2");
  EXPECT_SAYS(typed({0, 0, 0, 0}, {{-1}}), "type_cutoffs(0, 0) = -1");
  EXPECT_SAYS(typed({0, 0, 0, 0}, {{1, 1e-9}, {0.25, 1}}), "type_cutoffs(0, 1) = 1e-09 is not what (1, 0) is");
  EXPECT_SAYS(typed({0, 0, 0, 0}, {{1e30}}), "type_cutoffs(0, 0) = 1e+30; it must be");
  EXPECT_SAYS(typed({0, 0, 0, 0}, {{nan}}), "type_cutoffs(0, 0) = ");
  for (double bad : {-0.5, nan, inf})
    EXPECT_SAYS(says([&](auto& r) { r.radii = {0, 1, bad, bad}; }), "the radius of particle 2");
  EXPECT_SAYS(says([](auto& r) { r.excluded_offsets = {0, 2, 1, 2, 2}, r.excluded_ids = {1, 2}; }),
              "exclusions.offsets(1)");
  EXPECT_SAYS(says([](auto& r) { r.excluded_offsets = {0, 0, 0, 0, 3}, r.excluded_ids = {1, 2}; }),
              "exclusions.offsets(3)");
  EXPECT_SAYS(says([](auto& r) { r.rows = 2, r.images = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 0, 0}}; }),
              "particle 1 at (");
}

TEST(hostile_neighbors, boxes_that_are_none) {
  points<double> const x(2, {1, 1, 1});
  for (double bad : {0.0, -1.0, nan, inf})
    EXPECT_SAYS(refusal(x, {{0, 0, 0}, {5, bad, 5}, closed}, 1.0), "box: direction y");
  EXPECT_SAYS(refusal(x, {{-1e308, 0, 0}, {1e308, 5, 5}, closed}, 1.0), "box: direction x");
  for (std::size_t d = 0; d < 3; ++d)
    for (double bad : {nan, inf}) {
      cell_box<double> box{{0, 0, 0}, {5, 5, 5}, closed};
      box.tilt[d] = bad;
      EXPECT_SAYS(refusal(x, box, 1.0), "must be finite");
    }
}

}  // namespace
