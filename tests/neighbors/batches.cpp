// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lists of many systems in one call: each system's rows are those of its list alone.

#include "../oracle/message_of.hpp"
#include "batches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using oracle::batch_arrays;
using oracle::batch_of;
using oracle::batch_rules;
using oracle::batched_rows;
using oracle::random_batch;
using oracle::rows_alone;
using oracle::rows_of;
using oracle::space;
using oracle::to_device;
using oracle::to_positions;
using oracle::updated_rows;
using upsweep::neighbor_builder;
using upsweep::row_order;

template <class Real>
class batches : public testing::Test {};
using reals = testing::Types<float, double>;
TYPED_TEST_SUITE(batches, reals);

/// By the builder of choice and the plain one, in both orders.
template <class Real>
void compare(batch_of<Real> const& batch, Real cutoff, batch_rules rules = {}) {
  batch_arrays<Real> const arrays(batch);
  rules.options.pair_images = true;
  for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain})
    for (auto const order : {row_order::cells, row_order::sorted}) {
      rules.options.builder = builder;
      rules.options.order = order;
      SCOPED_TRACE(std::string(builder == neighbor_builder::plain ? "plain, " : "automatic, ") +
                   (order == row_order::cells ? "by cells" : "sorted"));
      auto const expected = rows_alone(arrays, cutoff, rules);
      ASSERT_EQ(batched_rows(arrays, cutoff, rules), expected);
      ASSERT_EQ(updated_rows(arrays, cutoff, rules), expected);
    }
}

TYPED_TEST(batches, every_system_has_the_rows_of_its_list_alone) {
  for (unsigned seed = 1; seed <= 40 && !this->HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    compare<TypeParam>(random_batch<TypeParam>(seed, 1 + static_cast<int>(seed * 7 % 40), 60),
                       static_cast<TypeParam>(seed % 3 == 0 ? 0.4 : 1.3));
  }
}

TYPED_TEST(batches, one_system_and_systems_of_very_different_sizes) {
  compare<TypeParam>(random_batch<TypeParam>(91, 1, 500), TypeParam(1.1));
  auto batch = random_batch<TypeParam>(92, 30, 20);
  oracle::edge_generator random(93);
  batch.insert(batch.begin() + 7, oracle::random_system<TypeParam>(random, 20));
  oracle::cell_box<TypeParam> const large{{0, 0, 0}, {20, 15, 18}, {true, false, true}};
  batch.insert(batch.begin() + 11, {oracle::to_box(large), oracle::uniform_points(9000, large, 5)});
  compare<TypeParam>(batch, TypeParam(1.2));
}

// More systems than a block of cells or particles has entries, most of them of a few particles.
TYPED_TEST(batches, thousands_of_small_systems) {
  compare<TypeParam>(random_batch<TypeParam>(5, 3000, 6), TypeParam(1.5));
}

TYPED_TEST(batches, small_cells_seen_in_many_images) {
  batch_of<TypeParam> batch;
  for (int b = 0; b < 20; ++b) {
    auto const edge = static_cast<TypeParam>(1 + 0.05 * b);
    batch.push_back({upsweep::box<TypeParam>({0, 0, 0}, {edge, edge, edge}, {true, b % 2 == 0, b % 3 > 0}),
                     {{0, 0, 0}, {edge / 2, edge / 2, edge / 2}}});
  }
  compare<TypeParam>(batch, TypeParam(2.3));
}

// Systems that fit a team's scratch and some that do not, for their particles or their candidates; and rows that are
// longer than those of the list before.
TYPED_TEST(batches, sizes_about_those_of_small_systems) {
  using real = TypeParam;
  oracle::cell_box<real> const box{{-1, 2, 0}, {4, 6, 5}, {true, true, true}};
  auto const of = [&](std::vector<std::size_t> const& sizes, double squeezed) {
    batch_of<real> batch;
    for (auto const n : sizes) {
      auto x = oracle::uniform_points(n, box, static_cast<unsigned>(n));
      for (auto& p : x) p[0] = static_cast<real>(-1 + (p[0] + 1) * squeezed);
      batch.push_back({oracle::to_box(box), x});
    }
    return batch;
  };
  compare<real>(of({127, 128, 1, 0, 64, 33}, 1), real(1.6));
  compare<real>(of({127, 128, 129, 12}, 1), real(1.6));
  compare<real>(of({128, 20}, 1), real(7));
  batch_rules rules;
  rules.options.pair_images = true;
  batch_arrays<real> const wide(of({100, 120}, 1)), close(of({100, 120}, 0.3)), others(of({60, 50, 110}, 0.6));
  upsweep::batched_neighbor_list<space, real> list(space{}, real(1.6), rules.options);
  for (auto const* batch : {&wide, &wide, &close, &wide, &others, &close}) {
    list.update(space{}, to_positions(batch->x), to_device(batch->offsets), batch->boxes);
    ASSERT_EQ(rows_of(list), rows_alone(*batch, real(1.6), rules));
  }
  // After an error the list is what it was.
  auto bad = close.x;
  bad[150][1] = std::numeric_limits<real>::quiet_NaN();
  auto const message = oracle::message_of([&] { list.update(space{}, to_positions(bad)); });
  EXPECT_NE(message.find("system 1: particle 150 at"), std::string::npos) << message;
  list.update(space{}, to_positions(close.x));
  EXPECT_EQ(rows_of(list), rows_alone(close, real(1.6), rules));
}

TYPED_TEST(batches, with_every_option) {
  auto const batch = random_batch<TypeParam>(17, 25, 40);
  std::size_t n = 0;
  for (auto const& system : batch) n += system.x.size();
  batch_rules half, named, types, radii, bonds, named_bonds, strict;
  half.options.half = true;
  named.options.half = true;
  // Ids are unique in a system only.
  for (auto const& system : batch)
    for (std::size_t i = 0; i < system.x.size(); ++i)
      named.ids.push_back(std::int64_t(1) << 33 ^ static_cast<std::int64_t>(i * 7919 % 10007));
  types.types = oracle::random_values<int>(n, 0, 1);
  for (std::size_t i = 0; i < n; ++i) radii.radii.push_back(0.3 + 0.1 * static_cast<double>(i % 5));
  for (std::size_t i = 0; i < n; ++i)
    bonds.exclusions.push_back({static_cast<std::int64_t>(i ^ 1), static_cast<std::int64_t>(i + 3)});
  named_bonds.ids = named.ids;
  for (std::size_t i = 0; i < n; ++i) named_bonds.exclusions.push_back({named.ids[i], named.ids[(i + 1) % n]});
  strict.options.include_cutoff = false;
  batch_rules values;
  values.options.first_indices = values.options.unwrapped_images = true;
  values.options.displacements = values.options.distances = true;
  int at = 0;
  for (auto const* rules : {&half, &named, &types, &radii, &bonds, &named_bonds, &strict, &values}) {
    SCOPED_TRACE("rules " + std::to_string(at++));
    compare<TypeParam>(batch, TypeParam(1.1), *rules);
  }
}

TYPED_TEST(batches, permuted_systems_have_the_same_rows) {
  auto batch = random_batch<TypeParam>(31, 40, 30);
  batch_rules rules;
  rules.options.pair_images = true;
  auto const rows_by_system = [&](std::vector<std::size_t> const& order) {
    batch_of<TypeParam> permuted;
    for (auto const b : order) permuted.push_back(batch[b]);
    batch_arrays<TypeParam> const arrays(permuted);
    auto const all = batched_rows(arrays, TypeParam(1.2), rules).rows;
    std::vector<oracle::neighbor_rows> by_system(batch.size());
    for (std::size_t k = 0; k < order.size(); ++k)
      for (int i = arrays.offsets[k]; i < arrays.offsets[k + 1]; ++i) {
        auto row = all[static_cast<std::size_t>(i)];
        for (auto& each : row) std::get<0>(each) -= arrays.offsets[k];
        by_system[order[k]].push_back(row);
      }
    return by_system;
  };
  std::vector<std::size_t> order(batch.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  auto const straight = rows_by_system(order);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
  EXPECT_EQ(rows_by_system(order), straight);
}

// ---- one list, built again and again

TYPED_TEST(batches, updates_reuse_memory_and_keep_the_systems) {
  auto batch = random_batch<TypeParam>(8, 30, 50);
  batch_arrays<TypeParam> arrays(batch);
  batch_rules rules;
  rules.options.pair_images = true;
  upsweep::batched_neighbor_list list(space{}, to_positions(arrays.x), to_device(arrays.offsets), arrays.boxes,
                                      TypeParam(1.2), rules.options);
  auto const first = rows_of(list);
  auto const neighbors = list.neighbors().data();
  // The second build may be another way's, with a little memory of its own.
  list.update(space{}, to_positions(arrays.x));
  EXPECT_EQ(rows_of(list), first);
  auto const bytes = list.last_plan().bytes();
  EXPECT_EQ(list.systems(), batch.size());
  auto const system_of = oracle::to_host(list.system_of());
  for (std::size_t b = 0; b < batch.size(); ++b)
    for (int i = arrays.offsets[b]; i < arrays.offsets[b + 1]; ++i)
      ASSERT_EQ(system_of[static_cast<std::size_t>(i)], static_cast<int>(b));
  list.update(space{}, to_positions(arrays.x));
  EXPECT_EQ(rows_of(list), first);
  EXPECT_EQ(list.neighbors().data(), neighbors);
  EXPECT_EQ(list.last_plan().bytes(), bytes);
  // Fewer systems in the same memory, then the first ones again, by plan and emit, from boxes on the device.
  batch.erase(batch.begin() + 10, batch.end());
  batch_arrays<TypeParam> const fewer(batch);
  list.update(space{}, to_positions(fewer.x), to_device(fewer.offsets), fewer.boxes);
  EXPECT_EQ(rows_of(list), rows_alone(fewer, TypeParam(1.2), rules));
  using box = upsweep::box<TypeParam>;
  Kokkos::View<box*, oracle::memory> const boxes(Kokkos::view_alloc(Kokkos::WithoutInitializing, "boxes"),
                                                 arrays.boxes.size());
  oracle::assign(boxes, arrays.boxes);
  auto const x = to_positions(arrays.x);
  auto const plan = list.plan(space{}, x, to_device(arrays.offsets), boxes);
  EXPECT_EQ(plan.pairs, first.pairs);
  list.emit();
  EXPECT_EQ(rows_of(list), first);
  EXPECT_EQ(list.neighbors().data(), neighbors);
}

TYPED_TEST(batches, no_systems_and_empty_systems) {
  upsweep::batched_neighbor_list<space, TypeParam> list(space{}, TypeParam(1));
  for (std::size_t systems : {0, 1, 5}) {
    std::vector<upsweep::box<TypeParam>> const boxes(systems, upsweep::box<TypeParam>({0, 0, 0}, {2, 2, 2}));
    list.update(space{}, to_positions<TypeParam>({}), to_device(std::vector<std::int64_t>(systems + 1, 0)), boxes);
    EXPECT_EQ(list.rows(), 0u);
    EXPECT_EQ(list.pairs(), 0u);
    EXPECT_EQ(list.systems(), systems);
    EXPECT_EQ(list.offsets().extent(0), 1u);
  }
}

/// The type of numbers is that of the boxes, whatever the cutoff's is and with options in braces.
TEST(batched_lists, have_the_type_of_their_boxes) {
  using space = Kokkos::DefaultExecutionSpace;
  using memory = space::memory_space;
  Kokkos::View<float* [3], memory> const positions("positions", 2);
  Kokkos::View<double* [3], memory> const in_double("in_double", 2);
  Kokkos::View<int*, memory> const offsets("offsets", 2);
  oracle::fill(Kokkos::subview(offsets, 1), 2);
  std::vector<upsweep::box<float>> const boxes{{{0, 0, 0}, {9, 9, 9}}};
  std::vector<upsweep::box<double>> const boxes_in_double{{{0, 0, 0}, {9, 9, 9}}};
  upsweep::batched_neighbor_list const plain(space{}, positions, offsets, boxes, 2.5);
  upsweep::batched_neighbor_list const half(space{}, positions, offsets, boxes, 2.5, {.half = true});
  upsweep::batched_neighbor_list const whole(space{}, in_double, offsets, boxes_in_double, 2, {.distances = true});
  static_assert(std::is_same_v<decltype(plain)::real, float> && std::is_same_v<decltype(half)::real, float> &&
                std::is_same_v<decltype(whole)::real, double>);
  EXPECT_EQ(plain.pairs(), 2u);
  EXPECT_EQ(half.pairs(), 1u);
  EXPECT_EQ(whole.pairs(), 2u);
}

}  // namespace
