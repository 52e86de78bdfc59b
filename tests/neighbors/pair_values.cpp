// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What lists keep of pairs beside neighbours and images: its memory, where rows are sorted afterwards, and errors. The
// values themselves: combinations.cpp, and lists_of_any_edges.cpp with positions far outside.

#include "../contracts/tools.hpp"
#include "../oracle/forks.hpp"
#include "../oracle/message_of.hpp"
#include "../oracle/views.hpp"
#include "host_list.hpp"
#include "lists.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/detail/builders/few_particles_builder.hpp>
#include <upsweep/neighbors/detail/builders/mask_builder.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace {

template <class Real>
using list_of = upsweep::neighbor_list<oracle::space, Real>;
using list_type = list_of<double>;
using upsweep::neighbor_builder;
using upsweep::row_order;

oracle::cell_box<double> const cube{{0, 0, 0}, {12, 12, 12}, {true, true, true}};

oracle::points<double> some_points(std::size_t n) { return oracle::uniform_points(n, cube, 41); }

// A group with more candidates than are sorted together is sorted row by row, when values are there already.
TEST(pair_values, of_more_candidates_than_are_sorted_together) {
  oracle::cell_box<double> const small{{0, 0, 0}, {3.2, 3.2, 3.2}, {true, true, true}};
  auto x = oracle::uniform_points(9000, small, 42);
  for (std::size_t i = 0; i < x.size(); i += 3) x[i][1] -= 3.2 * 5;
  oracle::pair_rules rules;
  rules.types.assign(x.size(), 0);
  rules.type_cutoffs = {{0.12}};
  for (bool const pair_images : {true, false}) {
    auto how = oracle::with_all_values({.order = row_order::sorted});
    how.pair_images = pair_images;
    auto const list = oracle::build_list(x, small, 1.0, rules, how);
    EXPECT_GT(list.pairs, 9000u);
    how.builder = neighbor_builder::plain;
    ASSERT_EQ(oracle::build_list(x, small, 1.0, rules, how), list);
  }
}

TEST(pair_values, of_an_empty_list) {
  for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain})
    for (std::size_t const n : {0, 1}) {
      auto how = oracle::with_all_values({.order = row_order::sorted});
      how.builder = builder;
      auto const list = oracle::build_list(some_points(n), cube, 1.0, {}, how);
      EXPECT_EQ(list.rows.size(), n);
      EXPECT_TRUE(list.values.empty());
    }
}

TEST(pair_values, are_gone_when_the_next_build_keeps_none) {
  auto const x = oracle::to_positions(some_points(500));
  list_type list(oracle::space{}, x, oracle::to_box(cube), 2.0, {.displacements = true});
  EXPECT_TRUE(list.displacements().given());
  EXPECT_FALSE(list.distances().given());
  EXPECT_FALSE(list.first_indices().given());
  EXPECT_FALSE(list.unwrapped_images().given());
  EXPECT_FALSE(list.pair_images().given());
  EXPECT_EQ(list.view().images, nullptr);
  list.set(oracle::to_box(cube), 2.0, {.distances = true});
  list.plan(oracle::space{}, x);
  EXPECT_FALSE(list.displacements().given());
  EXPECT_FALSE(list.distances().given());
  list.emit();
  EXPECT_FALSE(list.displacements().given());
  EXPECT_TRUE(list.distances().given());
}

// ---- memory

/// Which values are kept, as bits.
upsweep::neighbor_options keeping(unsigned bits, row_order order, neighbor_builder builder) {
  return {.pair_images = (bits & 16) != 0,
          .first_indices = (bits & 1) != 0,
          .unwrapped_images = (bits & 2) != 0,
          .displacements = (bits & 4) != 0,
          .distances = (bits & 8) != 0,
          .order = order,
          .builder = builder};
}

template <class Real>
void expect_planned_bytes(neighbor_builder builder, row_order order) {
  oracle::cell_box<Real> const cell{{0, 0, 0}, {12, 12, 12}, {true, true, true}};
  auto const x = oracle::to_positions(oracle::uniform_points(500, cell, 43));
  auto const box = oracle::to_box(cell);
  bool const masks =
      builder == neighbor_builder::automatic && upsweep::neighbors::detail::mask_builder<oracle::space, Real>::exists;
  bool const completed = !masks || (order == row_order::sorted &&
                                    !upsweep::neighbors::detail::mask_builder<oracle::space, Real>::sorts_rows);
  bool const has_few_particles_builder = builder == neighbor_builder::automatic &&
                                         upsweep::neighbors::detail::few_particles_builder<oracle::space, Real>::exists;
  // Of a list that keeps nothing of its pairs. Lists of few particles on GPUs have a builder of their own, which
  // takes other bytes, again others with images, and does not keep unwrapped images.
  std::optional<std::size_t> without_values[4];
  for (unsigned kept = 0; kept < 32; ++kept) {
    SCOPED_TRACE(kept);
    list_of<Real> list(oracle::space{}, box, Real(2), keeping(kept, order, builder));
    auto const plan = list.plan(oracle::space{}, x);
    std::size_t const images = (kept & 14) != 0 && (kept & 16) == 0 && (!masks || order == row_order::sorted) ? 4 : 0;
    std::size_t const packed = !masks && (images != 0 || (kept & 16) != 0) ? 8 : 0;
    std::size_t const each = 4 + (kept & 1 ? 4 : 0) + (kept & 2 ? 12 : 0) + (kept & 4 ? 3 * sizeof(Real) : 0) +
                             (kept & 8 ? sizeof(Real) : 0) + (kept & 16 ? 4 : 0);
    ASSERT_GT(plan.pairs, 4000u);
    ASSERT_EQ(plan.list_bytes, 8 * 501 + each * plan.pairs);
    auto& plain_bytes = without_values[has_few_particles_builder ? (kept & 2 ? 1 : 0) + (kept & 16 ? 2 : 0) : 0];
    if (!plain_bytes) plain_bytes = plan.other_bytes - (images + packed) * plan.pairs;
    ASSERT_EQ(plan.other_bytes, *plain_bytes + (images + packed) * plan.pairs);
    contracts::recorder const seen;
    list.emit();
    auto const most = contracts::recorder::most_bytes();
    ASSERT_GE(most, (each + images + packed) * plan.pairs);
    ASSERT_LT(most, (each + images + packed) * plan.pairs + 16000) << "less than another array";
    ASSERT_EQ(list.last_plan().other_bytes, *plain_bytes + images * plan.pairs);
    bool found = false;
    for (auto const& k : contracts::recorder::kernels())
      found = found || k.label == "upsweep::neighbor_list::complete_rows";
    ASSERT_EQ(found, completed && (kept & 15) != 0);
  }
}

// Others are woken for what is left, because that takes longer than the launch that is assumed.
TEST(pair_values, the_calling_thread_begins_to_complete_rows) {
  oracle::space const space;
  if (!upsweep::compat::launches_wait<oracle::space> || upsweep::compat::concurrency(space) == 1)
    GTEST_SKIP() << "launches are asynchronous, or the machine has one thread";
  list_type list(space, oracle::to_box(cube), 2.0, {.distances = true, .builder = neighbor_builder::plain});
  list.plan(space, oracle::to_positions(some_points(4000)));
  contracts::recorder const seen;
  oracle::assumed_forks const assumed(10000);
  list.emit();
  int launches = 0;
  for (auto const& k : contracts::recorder::kernels())
    launches += k.label == "upsweep::neighbor_list::complete_rows" ? 1 : 0;
  EXPECT_EQ(launches, 2);
}

TEST(pair_values, take_the_bytes_that_are_planned) {
  for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain})
    for (auto const order : {row_order::cells, row_order::sorted}) {
      expect_planned_bytes<double>(builder, order);
      expect_planned_bytes<float>(builder, order);
    }
}

TEST(pair_values, take_none_in_a_second_build) {
  if constexpr (!upsweep::neighbors::detail::mask_builder<oracle::space, double>::exists)
    GTEST_SKIP() << "the plain builder allocates its offsets again";
  auto points = some_points(4000);
  for (auto& p : points) p[2] += 24;
  auto const x = oracle::to_positions(points);
  for (auto const order : {row_order::cells, row_order::sorted}) {
    list_type list(oracle::space{}, x, oracle::to_box(cube), 2.0, keeping(31, order, neighbor_builder::automatic));
    auto const* const displacements = list.displacements().data();
    contracts::recorder const seen;
    list.update(oracle::space{}, x);
    EXPECT_TRUE(contracts::recorder::allocations().empty()) << contracts::recorder::allocations().front();
    EXPECT_EQ(list.displacements().data(), displacements);
  }
}

TEST(pair_values, count_for_the_budget_of_the_plain_builder) {
  auto const x = oracle::to_positions(some_points(3000));
  auto options = keeping(8, row_order::cells, neighbor_builder::plain);
  std::size_t const pairs = list_type(oracle::space{}, x, oracle::to_box(cube), 2.0).pairs();
  auto const message = [&] {
    return oracle::message_of([&] { list_type const list(oracle::space{}, x, oracle::to_box(cube), 2.0, options); });
  };
  options.memory_budget = 12 * pairs - 1;
  EXPECT_EQ(message(), "neighbor_list: pairs with their images take " + std::to_string(12 * pairs) +
                           " bytes in addition to the list, but memory_budget is " + std::to_string(12 * pairs - 1));
  options.memory_budget = 12 * pairs;
  list_type const list(oracle::space{}, x, oracle::to_box(cube), 2.0, options);
  EXPECT_EQ(list.distances().extent(0), pairs);
}

// ---- far away, and errors

// Differences of positions as they are given lose what is behind their last bit; wrapped ones do not.
TEST(pair_values, are_as_exact_far_outside_as_inside) {
  upsweep::box<double> const box({0, 0, 0}, {8, 8, 8});
  double const tiny = 0x1p-20;  // the last bit at 2^33 that wrapping can see
  double const far = 0x1p32;
  auto const x = oracle::to_positions<double>({{1, 1, 1}, {far + 2 - tiny, 1, 1 - far}, {1 - far, 1.5, 1 + far}});
  list_type const list(oracle::space{}, x, box, 1.5, keeping(31, row_order::sorted, neighbor_builder::automatic));
  oracle::host_copy const d(list.displacements().view());
  oracle::host_copy const s(list.unwrapped_images().view());
  auto const distances = oracle::to_host(list.distances().view());
  auto const first = oracle::to_host(list.first_indices().view());
  ASSERT_EQ(list.pairs(), 6u);
  EXPECT_EQ(first, (std::vector<int>{0, 0, 1, 1, 2, 2}));
  int const edges = 1 << 29;
  EXPECT_EQ(d(0, 0), 1 - tiny);
  EXPECT_EQ(distances[0], 1 - tiny);
  EXPECT_EQ(s(0, 0), -edges);
  EXPECT_EQ(s(0, 2), edges);
  EXPECT_EQ(d(3, 0), tiny - 1);
  EXPECT_EQ(d(3, 1), 0.5);
  EXPECT_EQ(s(3, 0), 2 * edges);
  EXPECT_EQ(s(3, 2), -2 * edges);
}

TEST(pair_values, of_particles_too_far_away_are_refused_before_memory_is_taken) {
  upsweep::box<double> const box({0, 0, 0}, {1, 1, 1});
  double const most = (1 << 30) - 1 - 512;
  auto points = oracle::points<double>{{0.5, 0.5, 0.5}, {0.5, 0.5, 0.25 - most}, {0.5, 0.5 + most, 0.5}};
  auto options = keeping(2, row_order::cells, neighbor_builder::automatic);
  list_type const list(oracle::space{}, oracle::to_positions(points), box, 0.4, options);
  oracle::host_copy const s(list.unwrapped_images().view());
  ASSERT_EQ(list.pairs(), 6u);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_LE(std::abs(s(k, 2)), static_cast<int>(most));
  points[2][1] += 1;
  auto const x = oracle::to_positions(points);
  contracts::recorder const seen;
  for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain}) {
    options.builder = builder;
    try {
      list_type const refused(oracle::space{}, x, box, 0.4, options);
      ADD_FAILURE() << "not refused";
    } catch (upsweep::overflow_error const& e) {
      EXPECT_STREQ(e.what(),
                   "neighbor_list: particle 2 is more than 1073741311 edges outside of the box: unwrapped images have "
                   "32 bits");
    }
  }
  for (auto const& a : contracts::recorder::allocations())
    EXPECT_EQ(a.find("upsweep::neighbor_list::order"), std::string::npos) << a;
  options.unwrapped_images = false;
  options.displacements = true;
  EXPECT_EQ(list_type(oracle::space{}, x, box, 0.4, options).pairs(), 6u);
}

}  // namespace
