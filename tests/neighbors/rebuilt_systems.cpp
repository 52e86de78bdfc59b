// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Batches of which some systems are built again: the rows are those of a whole list whose other systems have their old
// positions.

#include "../oracle/message_of.hpp"
#include "batches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using oracle::batch_arrays;
using oracle::batch_of;
using oracle::batch_rules;
using oracle::batched_rows;
using oracle::random_batch;
using oracle::rows_of;
using oracle::space;
using oracle::to_device;
using oracle::to_positions;
using upsweep::neighbor_builder;
using upsweep::row_order;

template <class Real>
constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();

template <class Real>
class rebuilt_systems : public testing::Test {};
using reals = testing::Types<float, double>;
TYPED_TEST_SUITE(rebuilt_systems, reals);

/// Flags on the device: any value but 0 is set.
auto to_flags(std::vector<int> const& rebuild) {
  return to_device(std::vector<signed char>(rebuild.begin(), rebuild.end()));
}

/// Every particle of the systems named goes to the place of one of its system.
template <class Real>
void move(batch_arrays<Real>& batch, std::vector<int> const& rebuild, oracle::edge_generator& random) {
  auto const old = batch.x;
  for (std::size_t b = 0; b < rebuild.size(); ++b)
    for (int i = batch.offsets[b]; rebuild[b] != 0 && i < batch.offsets[b + 1]; ++i)
      batch.x[static_cast<std::size_t>(i)] =
          old[static_cast<std::size_t>(random.pick(batch.offsets[b], batch.offsets[b + 1] - 1))];
}

/// Positions as a call gets them that may read those of the systems named only.
template <class Real>
auto positions_of(batch_arrays<Real> const& batch, std::vector<int> const& rebuild) {
  auto given = batch.x;
  for (std::size_t b = 0; b < rebuild.size(); ++b)
    if (rebuild[b] == 0)
      for (int i = batch.offsets[b]; i < batch.offsets[b + 1]; ++i)
        given[static_cast<std::size_t>(i)] = {nan<Real>, nan<Real>, nan<Real>};
  return to_positions(given);
}

/// Flags of some systems, of all and of none, of the first and of the last.
std::vector<int> flags(int step, std::size_t systems, oracle::edge_generator& random) {
  std::vector<int> result(systems, step == 3 ? 7 : 0);
  if (step == 1) result.front() = 1;
  if (step == 2) result.back() = -1;
  if (step == 0 || step > 4)
    for (int& flag : result) flag = random.pick(0, 2) == 0 ? 1 : 0;
  return result;
}

/// One list, of which systems are built again and again, by this builder in this order.
template <class Real>
void compare_steps(batch_of<Real> const& batch, Real cutoff, batch_rules const& rules) {
  batch_arrays<Real> arrays(batch);
  oracle::edge_generator random(7);
  oracle::placed_batch_rules const placed(rules, double(cutoff), 0, arrays.x.size());
  upsweep::batched_neighbor_list list(space{}, to_positions(arrays.x), to_device(arrays.offsets), arrays.boxes, cutoff,
                                      placed.options);
  for (int step = 0; step < 7; ++step) {
    auto const rebuild = flags(step, batch.size(), random);
    move(arrays, rebuild, random);
    list.update(space{}, positions_of(arrays, rebuild), to_flags(rebuild));
    ASSERT_EQ(rows_of(list), batched_rows(arrays, cutoff, rules)) << "step " << step;
    if (step != 5) continue;
    list.update(space{}, to_positions(arrays.x));
    ASSERT_EQ(rows_of(list), batched_rows(arrays, cutoff, rules)) << "all of them";
  }
}

/// Both builders and both orders.
template <class Real>
void compare(batch_of<Real> const& batch, Real cutoff, batch_rules rules = {}) {
  rules.options.pair_images = true;
  for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain})
    for (auto const order : {row_order::cells, row_order::sorted}) {
      SCOPED_TRACE(std::string(builder == neighbor_builder::plain ? "plain, " : "masks, ") +
                   (order == row_order::cells ? "by cells" : "sorted"));
      rules.options.builder = builder;
      rules.options.order = order;
      compare_steps(batch, cutoff, rules);
    }
}

TYPED_TEST(rebuilt_systems, others_keep_their_rows) {
  for (unsigned seed = 1; seed <= 12 && !this->HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    compare<TypeParam>(random_batch<TypeParam>(seed, 1 + static_cast<int>(seed * 5 % 17), 40), TypeParam(1.3));
  }
}

// Pairs of one system fill several teams, and those of many systems do not fill one.
TYPED_TEST(rebuilt_systems, of_very_different_sizes) {
  auto batch = random_batch<TypeParam>(5, 600, 5);
  oracle::cell_box<TypeParam> const large{{0, 0, 0}, {9, 9, 9}, {true, false, true}};
  batch.insert(batch.begin() + 300, {oracle::to_box(large), oracle::uniform_points(3000, large, 5)});
  batch_rules rules;
  rules.options.pair_images = rules.options.first_indices = rules.options.unwrapped_images = true;
  rules.options.displacements = rules.options.distances = true;
  compare_steps<TypeParam>(batch, TypeParam(1.3), rules);
}

TYPED_TEST(rebuilt_systems, with_every_option) {
  auto const batch = random_batch<TypeParam>(17, 12, 30);
  std::size_t n = 0;
  for (auto const& system : batch) n += system.x.size();
  batch_rules half, types, radii, bonds, named_bonds, nearest, values;
  half.options.half = true;
  types.types = oracle::random_values<int>(n, 0, 1);
  for (std::size_t i = 0; i < n; ++i) radii.radii.push_back(0.3 + 0.1 * static_cast<double>(i % 5));
  for (std::size_t i = 0; i < n; ++i)
    bonds.exclusions.push_back({static_cast<std::int64_t>(i ^ 1), static_cast<std::int64_t>(i + 3)});
  // Ids are unique in a system only.
  for (auto const& system : batch)
    for (std::size_t i = 0; i < system.x.size(); ++i)
      named_bonds.ids.push_back(std::int64_t(1) << 33 ^ static_cast<std::int64_t>(i * 7919 % 10007));
  for (std::size_t i = 0; i < n; ++i)
    named_bonds.exclusions.push_back({named_bonds.ids[i], named_bonds.ids[(i + 1) % n]});
  named_bonds.options.half = true;
  nearest.options.max_neighbors = 4;
  values.options.first_indices = values.options.unwrapped_images = true;
  values.options.displacements = values.options.distances = true;
  int at = 0;
  for (auto const* rules : {&half, &types, &radii, &bonds, &named_bonds, &nearest, &values}) {
    SCOPED_TRACE("rules " + std::to_string(at++));
    compare<TypeParam>(batch, TypeParam(1.1), *rules);
  }
}

using list_type = upsweep::batched_neighbor_list<space, double>;

/// Systems of one pair each, and one of three particles; all within the cutoff of 1.5.
batch_arrays<double> three_systems() {
  upsweep::box<double> const box({0, 0, 0}, {9, 9, 9});
  return batch_arrays<double>(
      {{box, {{1, 1, 1}, {2, 1, 1}}}, {box, {{5, 5, 5}, {5, 6, 5}}}, {box, {{8, 8, 8}, {8, 8, 7}, {8, 7.5, 7}}}});
}

TEST(rebuilt_systems_memory, rows_of_the_same_length_stay_where_they_are) {
  auto batch = three_systems();
  list_type list(space{}, to_positions(batch.x), to_device(batch.offsets), batch.boxes, 1.5, {.distances = true});
  auto const memory = list.neighbors().data();
  std::vector<int> const second{0, 1, 0};
  batch.x[3] = {5, 5.5, 5};
  list.update(space{}, positions_of(batch, second), to_flags(second));
  EXPECT_EQ(list.neighbors().data(), memory);
  EXPECT_EQ(oracle::to_host(list.distances().view()).at(2), 0.5);
  EXPECT_EQ(oracle::to_host(list.distances().view()).at(0), 1);
  // The last may grow, if there is room.
  batch.x[3] = {1, 1, 1};
  list.update(space{}, positions_of(batch, second), to_flags(second));
  EXPECT_NE(list.neighbors().data(), memory);
  EXPECT_EQ(list.pairs(), 8u);
  auto const bytes = list.last_plan().list_bytes;
  batch.x[3] = {5, 6, 5};
  list.update(space{}, positions_of(batch, second), to_flags(second));
  EXPECT_EQ(list.neighbors().data(), memory) << "the other of two";
  EXPECT_EQ(list.last_plan().list_bytes, bytes + 2 * sizeof(int) + 2 * sizeof(double)) << "of two pairs more";
  // Nothing to do.
  list.update(space{}, positions_of(batch, {0, 0, 0}), to_flags({0, 0, 0}));
  EXPECT_EQ(list.neighbors().data(), memory);
  EXPECT_EQ(list.pairs(), 10u);
}

// Memory for a part is held, whatever the next part needs.
TEST(rebuilt_systems_memory, a_smaller_part_holds_no_less) {
  oracle::cell_box<double> const large{{0, 0, 0}, {6, 6, 6}, {true, true, true}};
  batch_arrays<double> const batch({{oracle::to_box(large), oracle::uniform_points(900, large, 5)},
                                    {oracle::to_box(large), {{1, 1, 1}, {2, 1, 1}}},
                                    {oracle::to_box(large), {{1, 1, 1}, {2, 1, 1}}}});
  list_type list(space{}, to_positions(batch.x), to_device(batch.offsets), batch.boxes, 1.5);
  list.update(space{}, to_positions(batch.x), to_flags({1, 1, 0}));
  auto const bytes = list.last_plan().other_bytes;
  list.update(space{}, to_positions(batch.x), to_flags({0, 0, 1}));
  EXPECT_GE(list.last_plan().other_bytes, bytes);
}

TEST(rebuilt_systems_memory, flags_may_be_bool_or_bytes_apart) {
  auto batch = three_systems();
  list_type list(space{}, to_positions(batch.x), to_device(batch.offsets), batch.boxes, 1.5);
  batch.x[3] = {1, 1, 1};
  auto const x = to_positions(batch.x);
  Kokkos::View<bool*, oracle::memory> const none("none", 3);
  list.update(space{}, x, none);
  EXPECT_EQ(list.pairs(), 10u);
  Kokkos::View<unsigned char**, Kokkos::LayoutRight, oracle::memory> const columns("columns", 3, 2);
  oracle::host_copy const host(columns);
  host(1, 0) = 128;
  host(0, 1) = host(2, 1) = 1;
  host.write();
  list.update(space{}, x, Kokkos::subview(columns, Kokkos::ALL, 1));
  EXPECT_EQ(list.pairs(), 10u);
  list.update(space{}, x, Kokkos::subview(columns, Kokkos::ALL, 0));
  EXPECT_EQ(list.pairs(), 8u);
}

// ---- errors

struct refusing_list {
  batch_arrays<double> batch = three_systems();
  list_type list;
  explicit refusing_list(upsweep::neighbor_options const& options = {}) : list(space{}, 1.5, options) { build(); }

  void build() { list.update(space{}, to_positions(batch.x), to_device(batch.offsets), batch.boxes); }
  std::string refusal(std::vector<int> const& rebuild) {
    return oracle::message_of([&] { list.update(space{}, to_positions(batch.x), to_flags(rebuild)); });
  }
};

constexpr char const* none_before =
    "batched_neighbor_list: update with rebuild keeps rows of the list before, and there is none; update all systems "
    "first";

TEST(rebuilt_systems_refused, without_a_list) {
  auto const batch = three_systems();
  list_type list(space{}, 1.5);
  auto const x = to_positions(batch.x);
  auto const rebuild = to_flags({0, 1, 0});
  auto const refusal = [&] { return oracle::message_of([&] { list.update(space{}, x, rebuild); }); };
  EXPECT_EQ(refusal(), none_before);
  list.plan(space{}, x, to_device(batch.offsets), batch.boxes);
  EXPECT_EQ(refusal(), none_before);
  EXPECT_EQ(oracle::message_of([&] { list.emit(); }),
            "batched_neighbor_list: there is no plan; call plan() before emit()");
  list.update(space{}, x);
  list.update(space{}, x, rebuild);
  EXPECT_EQ(list.pairs(), 10u);
  // No systems are systems, too.
  list_type empty(space{}, to_positions<double>({}), to_device(std::vector<int>{0}),
                  std::vector<upsweep::box<double>>(), 1.5);
  empty.update(space{}, to_positions<double>({}), to_flags({}));
  EXPECT_EQ(empty.pairs(), 0u);
}

TEST(rebuilt_systems_refused, flags_and_positions_of_other_systems) {
  refusing_list of;
  EXPECT_EQ(of.refusal({0, 1}), "batched_neighbor_list: rebuild has 2 entries for 3 systems");
  EXPECT_EQ(of.refusal({0, 1, 0}), none_before) << "after an error";
  of.build();
  of.batch.x.pop_back();
  EXPECT_EQ(of.refusal({0, 1, 0}), "batched_neighbor_list: positions has 6 rows, and the list 7");
  of.batch = three_systems();
  of.build();
  Kokkos::View<double**, oracle::memory> const flat("flat", 7, 2);
  EXPECT_EQ(oracle::message_of([&] { of.list.update(space{}, flat, to_flags({0, 1, 0})); }),
            "batched_neighbor_list: positions has 2 columns; it needs 3");
  EXPECT_EQ(of.list.rows(), 0u);
}

// The numbers are those that the caller knows.
TEST(rebuilt_systems_refused, particles_are_named_as_in_the_batch) {
  refusing_list of;
  of.batch.x[2][1] = of.batch.x[5][1] = nan<double>;
  EXPECT_EQ(of.refusal({1, 0, 1}).find("batched_neighbor_list: system 2: particle 5 at (8, nan, 7) is not finite"), 0u);
  EXPECT_EQ(of.refusal({1, 0, 0}), none_before);
  of.batch = three_systems();
  of.build();
  auto const rows = rows_of(of.list);
  EXPECT_EQ(of.refusal({1, 0, 1}), "nothing thrown");
  EXPECT_EQ(rows_of(of.list), rows);
}

TEST(rebuilt_systems_refused, options_are_named_as_in_the_batch) {
  Kokkos::View<double**, Kokkos::LayoutRight, oracle::memory> const cutoffs("type_cutoffs", 1, 1);
  auto const types = to_device(std::vector<int>(7, 0));
  auto const radii = to_device(std::vector<double>(7, 0.5));
  auto const offsets = to_device(std::vector<std::size_t>{0, 0, 0, 0, 1, 1, 2, 2});
  auto const ids = to_device(std::vector<std::int64_t>{1, 2});
  auto const set = [](auto const& view, std::size_t at, auto value) {
    oracle::host_copy const host(view);
    host(at) = value;
    host.write();
  };
  refusing_list typed({.types = types, .type_cutoffs = cutoffs}), sized({.radii = radii}),
      bonded({.exclusions = {.offsets = offsets, .ids = ids}}), unwrapped({.unwrapped_images = true});
  set(types, 1, 9), set(types, 6, 3);
  EXPECT_EQ(typed.refusal({0, 0, 1}),
            "batched_neighbor_list: system 2: particle 6 has type 3; types start at 0, and type_cutoffs has 1 of them");
  set(radii, 0, -1.0), set(radii, 3, -1.0);
  EXPECT_EQ(sized.refusal({0, 1, 1}),
            "batched_neighbor_list: system 1: the radius of particle 3 is negative or not finite");
  set(offsets, 2, std::size_t(5)), set(offsets, 5, std::size_t(7));
  EXPECT_EQ(bonded.refusal({0, 0, 1}),
            "batched_neighbor_list: system 2: exclusions.offsets(4) is more than the one behind it, or that is more "
            "than the 2 exclusions.ids");
  unwrapped.batch.x[4][2] = 9663674400.0;
  EXPECT_EQ(unwrapped.refusal({0, 0, 1}).find(
                "batched_neighbor_list: system 2: particle 4 is more than 1073741311 edges outside of the box"),
            0u);
}

}  // namespace
