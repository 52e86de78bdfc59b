// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Batches of particles of very different radii: each system has the size classes of its list alone, and so its rows.

#include "batches.hpp"
#include "power_law.hpp"

#include <upsweep/neighbors/detail/grid/cell_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using oracle::batch_arrays;
using oracle::batch_of;
using oracle::batch_rules;
using oracle::space;
using upsweep::neighbor_builder;
using upsweep::row_order;

/// Systems, and the radii of all particles.
template <class Real>
struct sized_batch {
  batch_of<Real> systems;
  std::vector<double> radii;
};

enum kind { power_law, one_giant, tiny_radii, equal, few, kinds };

/// Systems of which some have classes alone, and some do not: for too few particles, or for equal radii.
template <class Real>
sized_batch<Real> random_sizes(unsigned seed, int systems, double cutoff) {
  std::mt19937_64 engine(seed);
  auto const pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine); };
  auto const real = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine); };
  sized_batch<Real> made;
  for (int b = 0; b < systems; ++b) {
    int const what = b == 0 ? power_law : pick(0, kinds - 1);
    auto const n = static_cast<std::size_t>(what == few ? pick(0, 60) : pick(800, 1300));
    oracle::cell_box<Real> box;
    for (std::size_t d = 0; d < 3; ++d) {
      box.lo[d] = static_cast<Real>(real(-3, 3));
      box.hi[d] = box.lo[d] + static_cast<Real>(cutoff * real(1.2, 3));
      box.periodic[d] = pick(0, 2) > 0;
      if (b % 3 == 2) box.tilt[d] = static_cast<Real>(real(-2, 2));
    }
    made.systems.push_back({oracle::to_box(box), oracle::uniform_points(n, box, static_cast<unsigned>(engine()))});
    auto const radii = oracle::power_law_radii(n, what == tiny_radii ? 0.01 : 0.05, cutoff / 2, real(1.5, 3), engine);
    for (std::size_t i = 0; i < n; ++i)
      made.radii.push_back(what == power_law || what == few || what == tiny_radii ? radii[i]
                           : what == one_giant                                    ? (i == n / 2 ? cutoff / 2 : 0.1)
                                                                                  : 0.45 * cutoff);
  }
  return made;
}

/// Whether the list of a system alone has size classes.
template <class Real>
bool has_classes(batch_arrays<Real> const& all, std::size_t b, std::vector<double> const& radii, Real cutoff) {
  namespace detail = upsweep::neighbors::detail;
  detail::cell_grid<space, Real> grid(space{});
  batch_rules rules;
  rules.radii = radii;
  auto const first = all.offsets[b], end = all.offsets[b + 1];
  oracle::placed_batch_rules const placed(rules, double(cutoff), static_cast<std::size_t>(first),
                                          static_cast<std::size_t>(end));
  auto const x = oracle::to_positions(oracle::points<Real>(all.x.begin() + first, all.x.begin() + end));
  grid.update(detail::make_positions(x), end - first, end - first, 0, all.boxes[b], cutoff, placed.options);
  return grid.binned().has_classes();
}

template <class Real>
class batched_classes : public testing::Test {};
using reals = testing::Types<float, double>;
TYPED_TEST_SUITE(batched_classes, reals);

TYPED_TEST(batched_classes, every_system_has_the_rows_of_its_list_alone) {
  std::size_t with = 0, without = 0;
  for (unsigned seed = 1; seed <= 10 && !this->HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const cutoff = static_cast<TypeParam>(seed % 2 == 0 ? 4.0 : 2.5);
    auto const made = random_sizes<TypeParam>(seed, 6, double(cutoff));
    batch_arrays<TypeParam> const arrays(made.systems);
    for (std::size_t b = 0; b < arrays.boxes.size(); ++b)
      ++(has_classes(arrays, b, made.radii, cutoff) ? with : without);
    batch_rules rules;
    rules.radii = made.radii;
    rules.options.pair_images = true;
    rules.options.half = seed % 3 == 0;
    rules.options.unwrapped_images = rules.options.displacements = rules.options.distances =
        rules.options.first_indices = seed % 4 == 0;
    for (auto const order : {row_order::cells, row_order::sorted}) {
      rules.options.order = order;
      rules.options.builder = neighbor_builder::automatic;
      auto const alone = oracle::rows_alone(arrays, cutoff, rules);
      ASSERT_EQ(oracle::batched_rows(arrays, cutoff, rules), alone) << "with masks";
      rules.options.builder = neighbor_builder::plain;
      ASSERT_EQ(oracle::batched_rows(arrays, cutoff, rules), alone) << "plain";
    }
  }
  EXPECT_GT(with, 15u);
  EXPECT_GT(without, 15u);
}

// One list of systems with classes, without any, and with others.
TYPED_TEST(batched_classes, come_and_go_with_the_systems) {
  TypeParam const cutoff = 3;
  for (unsigned seed : {21, 22, 21}) {
    auto const sized = random_sizes<TypeParam>(seed, 5, double(cutoff));
    batch_arrays<TypeParam> const arrays(sized.systems);
    batch_rules rules;
    rules.radii = sized.radii;
    rules.options.pair_images = true;
    auto const radii = oracle::to_device(sized.radii);
    upsweep::batched_neighbor_list<space, TypeParam> with_radii(space{}, oracle::to_positions(arrays.x),
                                                                oracle::to_device(arrays.offsets), arrays.boxes, cutoff,
                                                                {.radii = radii, .pair_images = true});
    auto const rows = oracle::rows_of(with_radii);
    EXPECT_EQ(rows, oracle::rows_alone(arrays, cutoff, rules));
    with_radii.update(space{}, oracle::to_positions(arrays.x));
    EXPECT_EQ(oracle::rows_of(with_radii), rows);
    // The same radii, of particles in one system each: too few for classes.
    std::vector<upsweep::box<TypeParam>> const boxes(arrays.x.size(),
                                                     upsweep::box<TypeParam>({-90, -90, -90}, {90, 90, 90}));
    std::vector<int> offsets(arrays.x.size() + 1);
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<int>(i);
    with_radii.update(space{}, oracle::to_positions(arrays.x), oracle::to_device(offsets), boxes);
    EXPECT_EQ(with_radii.pairs(), 0u);
    with_radii.update(space{}, oracle::to_positions(arrays.x), oracle::to_device(arrays.offsets), arrays.boxes);
    EXPECT_EQ(oracle::rows_of(with_radii), rows);
  }
}

// Systems with classes and without, of which some are built again: the rows are those of a whole list.
TYPED_TEST(batched_classes, of_some_systems_that_are_built_again) {
  TypeParam const cutoff = 3;
  for (unsigned seed = 31; seed <= 34 && !this->HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    auto const sized = random_sizes<TypeParam>(seed, 6, double(cutoff));
    batch_arrays<TypeParam> arrays(sized.systems);
    batch_rules rules;
    rules.radii = sized.radii;
    rules.options.pair_images = true;
    rules.options.order = seed % 2 == 0 ? row_order::cells : row_order::sorted;
    rules.options.builder = seed < 33 ? neighbor_builder::automatic : neighbor_builder::plain;
    oracle::placed_batch_rules const placed(rules, double(cutoff), 0, arrays.x.size());
    upsweep::batched_neighbor_list list(space{}, oracle::to_positions(arrays.x), oracle::to_device(arrays.offsets),
                                        arrays.boxes, cutoff, placed.options);
    for (int step = 0; step < 4; ++step) {
      // The first system always has classes.
      std::vector<signed char> rebuild(arrays.boxes.size());
      for (std::size_t b = 0; b < rebuild.size(); ++b) rebuild[b] = b == 0 ? step % 2 == 0 : random() % 2 == 0;
      auto const old = arrays.x;
      for (std::size_t b = 0; b < rebuild.size(); ++b) {
        auto const first = static_cast<std::size_t>(arrays.offsets[b]),
                   n = static_cast<std::size_t>(arrays.offsets[b + 1]) - first;
        for (std::size_t i = 0; rebuild[b] != 0 && i < n; ++i) arrays.x[first + i] = old[first + random() % n];
      }
      list.update(space{}, oracle::to_positions(arrays.x), oracle::to_device(rebuild));
      ASSERT_EQ(oracle::rows_of(list), oracle::batched_rows(arrays, cutoff, rules)) << "step " << step;
    }
  }
}

}  // namespace
