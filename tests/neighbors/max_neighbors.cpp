// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lists of the nearest neighbours. (With every other option together: combinations.cpp.)

#include "../oracle/message_of.hpp"
#include "batches.hpp"
#include "boxes.hpp"
#include "chosen_classes.hpp"
#include "host_list.hpp"
#include "lists.hpp"

#include <upsweep/neighbors/count_neighbors.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace {

using oracle::build_list;
using oracle::cell_box;
using oracle::points;
using oracle::space;
using oracle::to_positions;
using upsweep::neighbor_builder;

/// Both builders, both orders and masks in pieces make the list of brute force.
template <class Real>
void compare(points<Real> const& x, cell_box<Real> const& box, Real cutoff, oracle::pair_rules rules,
             std::vector<std::int64_t> const& most) {
  for (std::int64_t const k : most) {
    SCOPED_TRACE("max_neighbors " + std::to_string(k));
    rules.max_neighbors = k;
    auto const expected = oracle::sorted(oracle::brute_force(x, box, cutoff, rules));
    auto const list = build_list(x, box, cutoff, rules);
    ASSERT_EQ(oracle::sorted(list.rows), expected);
    std::size_t largest = 0;
    for (auto const& row : expected) largest = std::max(largest, row.size());
    EXPECT_EQ(list.largest_row, largest);
    EXPECT_EQ(build_list(x, box, cutoff, rules, {.memory_budget = 200000}), list);
    EXPECT_EQ(build_list(x, box, cutoff, rules, {.builder = neighbor_builder::plain}), list);
    oracle::build_settings sorted{.order = upsweep::row_order::sorted};
    auto const by_id = build_list(x, box, cutoff, rules, oracle::with_all_values(sorted));
    EXPECT_EQ(oracle::sorted(by_id.rows), expected);
    sorted.builder = neighbor_builder::plain;
    EXPECT_EQ(build_list(x, box, cutoff, rules, oracle::with_all_values(sorted)), by_id);
  }
}

template <class Real>
void compare_lattices() {
  std::mt19937_64 random(3);
  for (bool const periodic : {true, false}) {
    // Shells of 12, 6, 24, 12, 24, 8, ... neighbours at the same distance, up to rounding.
    Real const a = Real(1.6795961913825073);
    auto fcc = oracle::fcc_points(4, a, Real(0));
    std::shuffle(fcc.begin(), fcc.end(), random);
    cell_box<Real> const cube{{0, 0, 0}, {4 * a, 4 * a, 4 * a}, {periodic, periodic, periodic}};
    compare<Real>(fcc, cube, Real(2.5), {}, {1, 11, 12, 13, 30, 50, 54, 60});
    // Distances that are equal in all bits.
    points<Real> cubic;
    for (int k = 0; k < 216; ++k) cubic.push_back({Real(k % 6), Real(k / 6 % 6), Real(k / 36)});
    std::shuffle(cubic.begin(), cubic.end(), random);
    cell_box<Real> const six{{0, 0, 0}, {6, 6, 6}, {periodic, periodic, periodic}};
    compare<Real>(cubic, six, Real(2), {}, {1, 5, 6, 7, 20, 31, 33, 100});
  }
}

TEST(max_neighbors, of_lattices_in_double) { compare_lattices<double>(); }
TEST(max_neighbors, of_lattices_in_float) { compare_lattices<float>(); }

// A particle is its own neighbour in many images, all at one distance.
template <class Real>
void compare_images() {
  cell_box<Real> const box{{0, 0, 0}, {1, 1, 1}, {true, true, true}};
  compare<Real>({{Real(0.25), Real(0.5), 0}}, box, Real(2.9), {}, {1, 2, 6, 7, 40, 200});
  compare<Real>({{0, 0, 0}, {Real(0.5), Real(0.5), Real(0.5)}, {0, 0, 0}}, box, Real(2), {}, {1, 2, 3, 9, 20, 50, 99});
  cell_box<Real> const leaning{{0, 0, 0}, {2, 2, 2}, {true, true, false}, {1, Real(-0.5), Real(0.5)}};
  compare<Real>(oracle::uniform_points(30, leaning, 8), leaning, Real(2.5), {}, {1, 4, 40, 300});
}

TEST(max_neighbors, of_images_in_double) { compare_images<double>(); }
TEST(max_neighbors, of_images_in_float) { compare_images<float>(); }

// More candidates than CPUs test together, and most of them at distance 0.
TEST(max_neighbors, of_dense_cells) {
  cell_box<double> const box{{0, 0, 0}, {9, 9, 9}, {true, true, false}};
  auto x = oracle::uniform_points(1200, cell_box<double>{{4, 4, 4}, {5, 5, 5}, {}}, 4);
  x.resize(1700, {4.5, 4.5, 4.5});
  compare<double>(x, box, 1.0, {}, {50, 600});
}

TEST(max_neighbors, of_sets_of_random_points) {
  cell_box<double> const box{{-1, 2, 0.5}, {6, 11, 9.25}, {true, false, true}};
  auto const x = oracle::uniform_points(700, box, 5);
  oracle::pair_rules rules;
  rules.queries = 300;
  compare<double>(x, box, 2.5, rules, {1, 10, 35});
  rules.queries = -1;
  for (std::size_t i = 0; i < x.size(); ++i) rules.ids.push_back(i % 3 == 0 ? -std::int64_t(i) : std::int64_t(i) << 33);
  compare<double>(x, box, 2.5, rules, {1, 10, 35});
}

// Every size class has a grid of its own.
TEST(max_neighbors, of_size_classes) {
  cell_box<double> const box{{0, 0, 0}, {36, 36, 2}, {true, true, false}};
  auto const x = oracle::uniform_points(1500, box, 6);
  oracle::pair_rules rules;
  std::mt19937_64 random(6);
  for (std::size_t i = 0; i < x.size(); ++i)
    rules.radii.push_back(i % 400 == 0 ? 6.0 : 0.3 + 0.4 * double(random() % 100) / 100);
  ASSERT_TRUE(oracle::choose_classes(oracle::to_box(box), {true, true, false}, 12.0, rules.radii).has_value());
  compare<double>(x, box, 12.0, rules, {1, 3, 40});
}

template <class Real>
void compare_batch(unsigned seed) {
  oracle::batch_arrays<Real> const batch(oracle::random_batch<Real>(seed, 25, 60));
  for (std::int64_t const most : {1, 5, 40}) {
    oracle::batch_rules rules;
    auto& o = rules.options;
    o.max_neighbors = most;
    o.pair_images = o.first_indices = o.unwrapped_images = o.displacements = o.distances = true;
    for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain}) {
      rules.options.builder = builder;
      EXPECT_EQ(oracle::batched_rows(batch, Real(1.9), rules), oracle::rows_alone(batch, Real(1.9), rules))
          << "max_neighbors " << most;
    }
  }
}

TEST(max_neighbors, of_batches_are_those_of_each_system_alone) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    compare_batch<double>(seed);
    compare_batch<float>(seed);
  }
}

TEST(max_neighbors, of_no_particles) {
  cell_box<double> const box{{0, 0, 0}, {5, 5, 5}, {true, true, true}};
  compare<double>({}, box, 1.0, {}, {1, 100});
  compare<double>({{1, 1, 1}}, box, 1.0, {}, {1, 100});
}

// What is planned and taken is that of the pairs that are left.
TEST(max_neighbors, plans_and_counts) {
  cell_box<double> const box{{0, 0, 0}, {9, 9, 9}, {true, true, true}};
  auto const x = to_positions(oracle::uniform_points(2000, box, 7));
  upsweep::neighbor_options const options{.max_neighbors = 3};
  upsweep::neighbor_list<space, double> list(space{}, oracle::to_box(box), 2.0, options);
  auto const plan = list.plan(space{}, x);
  EXPECT_EQ(plan.largest_row, 3u);
  EXPECT_EQ(plan.pairs, 6000u);
  EXPECT_EQ(plan.list_bytes, 2001 * sizeof(std::size_t) + 6000 * sizeof(int));
  list.emit();
  EXPECT_EQ(list.neighbors().extent(0), 6000u);
  Kokkos::View<int*, oracle::memory> const counts("counts", 2000);
  upsweep::count_neighbors(space{}, x, oracle::to_box(box), 2.0, counts, options);
  EXPECT_EQ(oracle::to_host(counts), std::vector<int>(2000, 3));
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(max_neighbors, what_is_refused) {
  cell_box<double> const cube{{0, 0, 0}, {9, 9, 9}, {true, true, true}};
  auto const x = to_positions(oracle::uniform_points(20, cube, 7));
  auto const box = oracle::to_box(cube);
  auto const refusal = [&](upsweep::neighbor_options const& options) {
    return oracle::message_of([&] { upsweep::neighbor_list const list(space{}, x, box, 2.0, options); });
  };
  EXPECT_SAYS(refusal({.max_neighbors = 0}), "max_neighbors = 0; it must be positive");
  EXPECT_SAYS(refusal({.max_neighbors = -3}), "max_neighbors = -3; it must be positive");
  EXPECT_SAYS(refusal({.half = true, .max_neighbors = 3}), "max_neighbors with half");
  auto const images = oracle::to_device(std::vector<upsweep::image>(20, upsweep::image(0, 0, 0)));
  EXPECT_SAYS(refusal({.max_neighbors = 3, .images = images}), "max_neighbors with images needs ids");
  EXPECT_THROW(upsweep::neighbor_list(space{}, x, box, 2.0, {.max_neighbors = 0}), upsweep::precondition_error);
}

}  // namespace
