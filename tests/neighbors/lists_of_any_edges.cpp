// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lists in boxes of any three edges, against a search over all images of the positions as they are given, in long
// double, and ties against one in integers. The long suite tries 2,000 random boxes.

#include "../oracle/message_of.hpp"
#include "edge_lists.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/unwrapped_image.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace {

using oracle::build_both_ways;
using oracle::build_list;
using oracle::converted;
using oracle::edge_box;
using oracle::edge_generator;
using oracle::lattice;
using oracle::lattice_pair;
using oracle::points;
using oracle::to_lattice;
using oracle::to_vector;

/// The pairs of a list with images for positions as they are given.
template <class Real>
std::vector<lattice_pair> pairs_as_given(oracle::host_list const& list, upsweep::box<Real> const& box,
                                         points<Real> const& x) {
  std::vector<lattice_pair> pairs;
  for (std::size_t i = 0; i < list.rows.size(); ++i)
    for (auto const& [j, sx, sy, sz] : list.rows[i]) {
      auto const s = upsweep::unwrapped_image(box, upsweep::image(sx, sy, sz), to_vector(x[i]),
                                              to_vector(x[static_cast<std::size_t>(j)]));
      pairs.push_back({static_cast<int>(i), j, s[0], s[1], s[2]});
    }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// ---- random boxes

struct random_cell {
  edge_box<double> box;
  points<double> x;
  double cutoff;

  explicit random_cell(unsigned seed) {
    edge_generator random(seed);
    box = random.box<double>(5);
    auto const normals = oracle::reciprocal(to_lattice<long double>(box));
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k)
      if (box.periodic[k])
        longest = std::max(longest, double(std::hypot(box.edges[k][0], box.edges[k][1], box.edges[k][2])));
    if (longest == 0) longest = 1;
    auto const images = [&] {
      double product = 1;
      for (auto const& n : normals)
        if (oracle::length(n) > 0) product *= 2 + 2 * cutoff * double(oracle::length(n));
      return product;
    };
    // As many particles as the search can take in so many images, up to 500.
    cutoff = longest * (random.pick(0, 3) == 0 ? random.real(1, 3) : random.real(0.05, 1));
    while (images() > 40000) cutoff *= 0.8;
    double const most = std::clamp(std::sqrt(2e6 / images()), 1.0, 500.0);
    auto const n = static_cast<int>(std::exp(random.real(0, std::log(most + 0.999))));
    bool const far = seed % 2 == 0;
    for (int i = 0; i < n; ++i) {
      std::array<double, 3> f;
      for (std::size_t k = 0; k < 3; ++k) f[k] = random.real(0, 1) + (far ? random.pick(-1000, 1000) : 0);
      auto p = box.at(f);
      // Open edges may be zero, and bound nothing.
      for (std::size_t k = 0; k < 3; ++k)
        if (!box.periodic[k]) p[k] += longest * random.real(-1.5, 1.5);
      x.push_back(p);
    }
  }
};

void compare_with_search(unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  random_cell p(seed);
  auto const cell = to_lattice<long double>(p.box);
  auto const x = converted<long double>(p.x);
  long double largest = 0, nearest = 0;
  for (auto const& q : x)
    for (auto const c : q) largest = std::max(largest, std::abs(c));
  std::vector<lattice_pair> expected;
  // No distance is within 1e-9 of the cutoff.
  for (;; p.cutoff *= 1.0001) {
    auto const cutoff = static_cast<long double>(p.cutoff);
    expected = oracle::lattice_pairs<long double>(x, cell, cutoff * cutoff, true, &nearest);
    if (nearest > 1e-9L * std::max(1.0L, cutoff)) break;
  }
  auto const box = p.box.library();
  auto const list = build_both_ways(p.x, box, p.cutoff);
  auto const found = pairs_as_given(list, box, p.x);
  ASSERT_EQ(found, expected) << oracle::first_difference(found, expected);
  oracle::pair_rules without;
  without.include_cutoff = false;
  ASSERT_EQ(build_list(p.x, box, p.cutoff, without), list);
  // Displacements as a force loop computes them, and as the list keeps them.
  auto const kept = build_both_ways(p.x, box, p.cutoff, {}, oracle::with_all_values());
  ASSERT_EQ(kept.rows, list.rows);
  auto value = kept.values.begin();
  long double worst = 0;
  for (std::size_t i = 0; i < list.rows.size(); ++i)
    for (auto const& [neighbor, sx, sy, sz] : list.rows[i]) {
      auto const j = static_cast<std::size_t>(neighbor);
      upsweep::image const image(sx, sy, sz);
      auto const a = box.wrap(to_vector(p.x[i])), b = box.wrap(to_vector(p.x[j])), shift = box.shift(image);
      auto const s = upsweep::unwrapped_image(box, image, to_vector(p.x[i]), to_vector(p.x[j]));
      auto const exact = oracle::lattice_displacement(cell, x[i], x[j], {s[0], s[1], s[2]});
      oracle::pair_value const v = *value++;
      ASSERT_EQ(v.first, static_cast<int>(i));
      for (std::size_t d = 0; d < 3; ++d) {
        ASSERT_EQ(v.unwrapped[d], s[d]);
        double const way = (b[d] - a[d]) + shift[d];
        ASSERT_EQ(v.displacement[d], oracle::bits_of(way));
        worst = std::max(worst, std::abs(way - exact[d]));
      }
      auto const distance = oracle::from_bits<double>(v.distance);
      ASSERT_LE(distance, p.cutoff);
      worst = std::max(worst, std::abs(distance - oracle::length(exact)));
    }
  long double size = largest;
  for (auto const& edge : cell.edges)
    for (auto const c : edge) size = std::max(size, std::abs(c));
  ASSERT_LE(worst, 1e-12L * size);
}

void compare_random_cells(unsigned seeds) {
  for (unsigned seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) compare_with_search(seed);
}

TEST(lists_of_any_edges, random_boxes) { compare_random_cells(60); }
TEST(long_lists_of_any_edges, random_boxes) { compare_random_cells(2000); }

// ---- ties

/// Integer edges and positions, and a cutoff that many distances have.
template <class Real>
void compare_ties(unsigned seed, int far) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  edge_generator random(seed);
  edge_box<Real> box;
  lattice<std::int64_t> cell{};
  std::int64_t volume = 0;
  bool const lower = random.pick(0, 3) == 0;
  while (volume == 0) {
    for (std::size_t k = 0; k < 3; ++k) {
      box.periodic[k] = cell.periodic[k] = random.pick(0, 3) > 0;
      for (std::size_t d = 0; d < 3; ++d) {
        cell.edges[k][d] = lower && d > k ? 0 : random.pick(-6, 6);
        if (lower && d == k) cell.edges[k][d] = random.pick(1, 7);
        box.edges[k][d] = static_cast<Real>(cell.edges[k][d]);
      }
    }
    auto const& [a, b, c] = cell.edges;
    volume =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  if (random.pick(0, 1) == 0)
    for (Real& c : box.origin) c = static_cast<Real>(random.pick(-5, 5));
  points<Real> x;
  int const n = random.pick(1, 12);
  for (int i = 0; i < n; ++i) {
    std::array<Real, 3> p{};
    for (Real& c : p) c = static_cast<Real>(random.pick(-4, 4));
    for (std::size_t k = 0; k < 3; ++k) {
      int const edges = random.pick(-far, far);
      for (std::size_t d = 0; d < 3; ++d) p[d] += static_cast<Real>(edges) * box.edges[k][d];
    }
    x.push_back(p);
  }
  // 3, 5 and 7 are lengths of many vectors: (2, 2, 1), (3, 4, 0), (6, 3, 2).
  auto choice = static_cast<std::size_t>(random.pick(0, 5));
  constexpr std::array<std::int64_t, 6> cutoffs{1, 2, 3, 5, 6, 7};
  // The search tries all images along the normals; edges may be very flat.
  auto const images = [&] {
    double product = 1;
    for (auto const& normal : oracle::reciprocal(cell))
      product *= 1 + 2 * static_cast<double>(cutoffs[choice]) * double(oracle::length(normal));
    return product;
  };
  while (choice > 0 && images() > 1e6 / (n * n)) --choice;
  if (images() > 1e6) return;
  std::int64_t const cutoff = cutoffs[choice];
  auto const given = converted<std::int64_t>(x);
  auto const library = box.library();
  for (bool const include : {false, true}) {
    oracle::pair_rules rules;
    rules.include_cutoff = include;
    auto const list = build_both_ways(x, library, static_cast<Real>(cutoff), rules);
    auto const expected = oracle::lattice_pairs(given, cell, cutoff * cutoff, include);
    auto const found = pairs_as_given(list, library, x);
    ASSERT_EQ(found, expected) << (include ? "<= " : "< ") << oracle::first_difference(found, expected);
  }
}

TEST(lists_of_any_edges, ties_are_decided_as_integers_are) {
  for (unsigned seed = 1; seed <= 250 && !HasFailure(); ++seed) {
    compare_ties<double>(seed, seed % 2 == 0 ? 1000 : 1);
    compare_ties<float>(seed, seed % 2 == 0 ? 100 : 1);
  }
}
TEST(long_lists_of_any_edges, ties_are_decided_as_integers_are) {
  for (unsigned seed = 1000; seed < 11000 && !HasFailure(); ++seed) {
    compare_ties<double>(seed, seed % 2 == 0 ? 1000 : 1);
    compare_ties<float>(seed, seed % 2 == 0 ? 100 : 1);
  }
}

// A lattice point a third of the way up a tilted edge: triclinic() raises it by a rounding, and so would lose the tie.
TEST(lists_of_any_edges, positions_on_faces_are_not_moved) {
  edge_box<double> const box{{{{5, 0, 0}, {0, 5, 0}, {0, -3, 3}}}, {true, true, true}};
  points<double> const x{{0, -1, 1}, {0, 0, 1}};
  auto const library = box.library();
  auto const w = library.wrap({0, -1, 1});
  EXPECT_EQ(w[1], std::round(w[1]));
  oracle::pair_rules strict;
  strict.include_cutoff = false;
  EXPECT_EQ(build_list(x, library, 1.0).pairs, 2u);
  EXPECT_EQ(build_list(x, library, 1.0, strict).pairs, 0u);
}

TEST(lists_of_any_edges, the_cutoff_of_types_and_radii_is_left_out_too) {
  points<double> const x{{1, 1, 1}, {2, 1, 1}, {1, 3, 1}, {1, 1, 1}};
  upsweep::box<double> const box({0, 0, 0}, {20, 20, 20});
  oracle::pair_rules types;
  types.types = {0, 1, 0, 1};
  types.type_cutoffs = {{2, 1}, {1, 0}};
  oracle::pair_rules radii;
  radii.radii = {0.5, 0.5, 1.5, 0};
  for (auto* rules : {&types, &radii}) {
    // 0 and 1 are 1 apart, 0 and 2 are 2 apart, 3 is where 0 is.
    EXPECT_EQ(build_both_ways(x, box, 5.0, *rules).pairs, 6u);
    rules->include_cutoff = false;
    EXPECT_EQ(build_both_ways(x, box, 5.0, *rules).pairs, 2u);
  }
  oracle::pair_rules zero;
  zero.radii = {0, 0, 0, 0};
  EXPECT_EQ(build_both_ways(x, box, 5.0, zero).pairs, 2u);
  zero.include_cutoff = false;
  EXPECT_EQ(build_both_ways(x, box, 5.0, zero).pairs, 0u);
}

// ---- the other boxes

TEST(lists_of_any_edges, edges_along_axes_are_the_orthogonal_box) {
  oracle::cell_box<double> const cell{{-1, 2, 0.5}, {6, 11, 9.25}, {true, true, true}};
  auto const x = oracle::uniform_points(300, cell, 3);
  auto const box = upsweep::box<double>::of_edges({7, 0, 0}, {0, 9, 0}, {0, 0, 8.75}, {true, true, true}, {-1, 2, 0.5});
  EXPECT_TRUE(box.is_orthogonal());
  EXPECT_EQ(build_list(x, box, 2.5), build_list(x, cell, 2.5));
}

TEST(lists_of_any_edges, tilted_edges_are_the_triclinic_box) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    edge_generator random(seed);
    oracle::cell_box<double> cell{
        {0, 0, 0}, {random.real(2, 9), random.real(2, 9), random.real(2, 9)}, {true, true, true}};
    for (double& t : cell.tilt) t = random.real(-4, 4);
    auto x = oracle::uniform_points(200, cell, seed);
    for (auto& p : x)
      for (std::size_t k = 0; k < 3; ++k) {
        int const edges = random.pick(-3, 3);
        for (std::size_t d = 0; d < 3; ++d) p[d] += edges * cell.edge(static_cast<int>(k))[d];
      }
    edge_box<double> const same{{cell.edge(0), cell.edge(1), cell.edge(2)}, cell.periodic};
    EXPECT_EQ(build_list(x, same.library(), 2.5), build_list(x, cell, 2.5)) << "seed " << seed;
  }
}

TEST(lists_of_any_edges, half_lists_and_two_sets) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    random_cell const p(seed);
    auto const box = p.box.library();
    auto const full = build_list(p.x, box, p.cutoff);
    oracle::pair_rules half;
    half.half = true;
    auto const list = build_both_ways(p.x, box, p.cutoff, half);
    EXPECT_EQ(2 * list.pairs, full.pairs);
    EXPECT_EQ(list.hash, full.hash);
    points<double> twice = p.x;
    twice.insert(twice.end(), p.x.begin(), p.x.end());
    oracle::pair_rules queries;
    queries.queries = static_cast<std::int64_t>(p.x.size());
    EXPECT_EQ(build_both_ways(twice, box, p.cutoff, queries).pairs, full.pairs + p.x.size());
  }
}

// Ghosts of the caller's: the whole neighbourhood as candidates with images.
TEST(lists_of_any_edges, ghosts_with_images) {
  edge_box<double> const box{{{{0, 3, 3}, {3, 0, 3}, {3, 3, 0}}}, {true, true, false}, {0.5, -1, 2}};
  auto const library = box.library();
  edge_generator random(5);
  points<double> x;
  for (int i = 0; i < 20; ++i) {
    auto const w = library.wrap(to_vector(box.at({random.real(0, 1), random.real(0, 1), random.real(-2, 2)})));
    x.push_back({w[0], w[1], w[2]});
  }
  auto const full = build_list(x, library, 2.5);
  oracle::pair_rules ghosts;
  ghosts.rows = 20;
  auto all = x;
  for (int i = 0; i < 20; ++i) ghosts.images.push_back({0, 0, 0}), ghosts.ids.push_back(i);
  for (int a = -2; a <= 2; ++a)
    for (int b = -2; b <= 2; ++b)
      for (int i = 0; i < 20 && (a != 0 || b != 0); ++i) {
        all.push_back(x[static_cast<std::size_t>(i)]);
        ghosts.images.push_back({a, b, 0});
        ghosts.ids.push_back(i);
      }
  auto const list = build_both_ways(all, library, 2.5, ghosts);
  EXPECT_EQ(list.pairs, full.pairs);
  EXPECT_EQ(list.hash, full.hash);
}

// ---- open directions

TEST(lists_of_any_edges, open_directions_bound_nothing) {
  points<double> const x{{0.25, 0.5, -1e12}, {0.25, 0.5, -1e12 + 1}, {0.75, 0.25, 1e300}, {0.5, 0.5, 3}};
  for (double const height : {0.0, -7.0, 1e-300}) {
    auto const slab = upsweep::box<double>::of_edges({0, 1, 0}, {1, 0, 0}, {0, 0, height}, {true, true, false});
    // Each has itself in 4 images; two are 1 apart.
    EXPECT_EQ(build_both_ways(x, slab, 1.0).pairs, 4u * 4 + 2) << height;
  }
  auto const none = upsweep::box<double>::of_edges({0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {false, false, false});
  EXPECT_EQ(build_both_ways(x, none, 1.0).pairs, 2u);
  auto const rod = upsweep::box<double>::of_edges({0, 0, 0}, {0, 0, 0}, {0, 0, 2}, {false, false, true});
  points<double> const along{{1e15, -1e200, 0.5}, {1e15, -1e200, 1.5}, {-1e15, 3, 100.5}};
  EXPECT_EQ(build_both_ways(along, rod, 2.0).pairs, 3u * 2 + 2 * 2);
}

// ---- what is refused

template <class Real>
std::string refusal(points<Real> const& x, upsweep::box<Real> const& box, Real cutoff) {
  return oracle::message_of([&] { build_list(x, box, cutoff); });
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(lists_of_any_edges, what_is_refused) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const thin = upsweep::box<double>::of_edges({1, 0, 0}, {1, 1e-3, 0}, {0, 0.5, 1});
  EXPECT_SAYS(refusal<double>({{0, 0, 0}}, thin, 3.0), "images of the box in direction a, which is 0.00");
  EXPECT_SAYS(refusal<double>({{0, 0, 0}, {nan, 0, 0}}, thin, 0.1), "particle 1 at (nan, 0, 0) is not finite");
  EXPECT_SAYS(refusal<double>({{0, 0, 0}}, thin, -1.0), "cutoff = -1");
  EXPECT_SAYS(refusal<double>({{0, 0, 0}, {1e12, 0, 0}}, thin, 0.1), "is so far away in direction a that rounding");
  auto const slab = upsweep::box<double>::of_edges({1, 1, 0}, {1, -1, 0}, {0, 0, 0}, {true, true, false});
  EXPECT_SAYS(refusal<double>({{0, 0, 1.5e308}}, slab, 0.1), "is so far away in direction c that rounding");
  EXPECT_EQ(build_list<double>({{0, 0, 1e307}, {0, 0, -1e307}}, slab, 0.1).pairs, 0u);
}

}  // namespace
