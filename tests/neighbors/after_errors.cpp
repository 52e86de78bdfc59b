// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// After an error there is no list, and the next call does not need to know of the one that failed.

#include "../oracle/message_of.hpp"
#include "batches.hpp"

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/internal/memory/undo_on_error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using oracle::space;
using oracle::to_device;
using oracle::to_positions;
using upsweep::neighbor_builder;
using upsweep::neighbor_options;
using list_type = upsweep::neighbor_list<space, double>;
using batch_type = upsweep::batched_neighbor_list<space, double>;

constexpr auto thrown = [](auto const& call) { return oracle::message_of(call) != "nothing thrown"; };
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

oracle::cell_box<double> const cube{{0, 0, 0}, {6, 6, 6}, {true, true, true}};

template <class List>
void expect_none(List const& list) {
  EXPECT_EQ(list.rows(), 0u);
  EXPECT_EQ(list.pairs(), 0u);
  EXPECT_EQ(list.offsets().extent(0), 0u);
  EXPECT_EQ(list.neighbors().extent(0), 0u);
  EXPECT_EQ(list.view().rows, 0u);
}

TEST(after_errors, a_guard_undoes_what_an_error_leaves) {
  int undone = 0;
  auto const guarded = [&](bool fails) {
    upsweep::internal::undo_on_error const undo([&] { ++undone; });
    if (fails) throw std::runtime_error("");
  };
  guarded(false);
  EXPECT_EQ(undone, 0);
  EXPECT_THROW(guarded(true), std::runtime_error);
  EXPECT_EQ(undone, 1);
  // While another error is under way, a scope that ends well is left alone.
  struct at_the_end {
    decltype(guarded) const& call;
    ~at_the_end() { call(false); }
  };
  try {
    at_the_end const calls{guarded};
    throw std::runtime_error("");
  } catch (std::runtime_error const&) {
  }
  EXPECT_EQ(undone, 1);
}

TEST(after_errors, a_list_goes_by_the_box_and_the_options_of_before) {
  auto const box = oracle::to_box(cube);
  auto const x = to_positions(oracle::uniform_points(200, cube, 3));
  auto const two_radii = to_device(std::vector<double>{1, 1});
  auto const bad_radii = to_device(std::vector<double>(200, nan));
  upsweep::box<double> const flat({0, 0, 0}, {6, 1e-3, 6}), away({50, 0, 0}, {56, 6, 6}, {false, true, true});
  for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain}) {
    neighbor_options const options{.pair_images = true, .builder = builder};
    list_type list(space{}, x, box, 1.2, options);
    auto const rows = oracle::rows_of(list);
    // Errors before particles are binned, behind that, while pairs are counted or emitted, and when there are offsets.
    std::vector<neighbor_options> const bad{{.radii = two_radii},
                                            {.radii = bad_radii},
                                            {.builder = builder, .memory_budget = 3},
                                            {.pair_images = true, .builder = builder, .memory_budget = 1000}};
    auto const expect_same = [&](std::string const& what) {
      SCOPED_TRACE(what);
      expect_none(list);
      EXPECT_TRUE(thrown([&] { list.emit(); }));
      list.update(space{}, x);
      ASSERT_EQ(oracle::rows_of(list), rows);
    };
    for (auto const* other : {&flat, &away}) {
      EXPECT_TRUE(thrown([&] { list.update(space{}, x, *other); }));
      expect_same("a box");
    }
    EXPECT_TRUE(thrown([&] { list.update(space{}, x, box, -1.0, options); }));
    expect_same("a cutoff");
    int at = 0;
    for (auto const& other : bad) {
      // With masks 1000 bytes will do, in pieces.
      if (++at == 4 && builder != neighbor_builder::plain) continue;
      EXPECT_TRUE(thrown([&] { list.update(space{}, x, box, 1.2, other); }));
      expect_same("options " + std::to_string(at));
    }
    auto const wrong = Kokkos::View<double**, oracle::memory>("wrong", 3, 2);
    EXPECT_TRUE(thrown([&] { list.update(space{}, wrong); }));
    expect_same("positions");
    EXPECT_TRUE(thrown([&] { list.plan(space{}, wrong); }));
    expect_same("positions of a plan");
  }
}

TEST(after_errors, set_drops_a_plan) {
  auto const box = oracle::to_box(cube);
  list_type list(space{}, box, 1.2);
  list.plan(space{}, to_positions(oracle::uniform_points(50, cube, 3)));
  EXPECT_EQ(list.offsets().extent(0), 51u);
  list.set(box, 1.0, {});
  expect_none(list);
  EXPECT_TRUE(thrown([&] { list.emit(); }));
}

// Pairs of coincident particles that no memory holds: the plan is good, and stays.
TEST(after_errors, a_plan_stays_where_there_is_no_memory) {
  std::size_t const available = upsweep::available_memory(space{});
  if (available > std::size_t(1) << 37) GTEST_SKIP() << "takes too long to fill";
  auto const n = static_cast<std::size_t>(std::sqrt(1.5 * static_cast<double>(available) / 56));
  auto const x = to_positions(std::vector<std::array<double, 3>>(n, {1, 2, 3}));
  list_type list(
      space{}, oracle::to_box(cube), 1,
      {.pair_images = true, .first_indices = true, .unwrapped_images = true, .displacements = true, .distances = true});
  std::size_t const pairs = list.plan(space{}, x).pairs;
  EXPECT_EQ(pairs, n * (n - 1));
  for (int again = 0; again < 2; ++again)
    EXPECT_NE(oracle::message_of([&] { list.emit(); }).find("bytes are available"), std::string::npos);
  EXPECT_EQ(list.pairs(), pairs);
  list.update(space{}, to_positions<double>({{1, 1, 1}, {1, 1, 1.5}}));
  EXPECT_EQ(list.pairs(), 2u);
}

TEST(after_errors, a_batch_goes_by_the_systems_of_before) {
  oracle::batch_arrays<double> const good(oracle::random_batch<double>(5, 6, 30)),
      others(oracle::random_batch<double>(6, 9, 30));
  auto const x = to_positions(good.x), other_x = to_positions(others.x);
  auto const offsets = to_device(good.offsets), other_offsets = to_device(others.offsets);
  batch_type list(space{}, 1.2, {.pair_images = true});
  EXPECT_TRUE(thrown([&] { list.update(space{}, x, offsets, others.boxes); }));
  EXPECT_NE(oracle::message_of([&] { list.update(space{}, x); }).find("no systems are given yet"), std::string::npos);
  list.update(space{}, x, offsets, good.boxes);
  auto const rows = oracle::rows_of(list);
  auto const expect_same = [&](std::string const& what) {
    SCOPED_TRACE(what);
    expect_none(list);
    EXPECT_EQ(list.system_of().extent(0), 0u);
    EXPECT_EQ(list.systems(), good.boxes.size());
    list.update(space{}, x);
    ASSERT_EQ(oracle::rows_of(list), rows);
    EXPECT_EQ(list.system_of().extent(0), good.x.size());
  };
  auto descending = good.offsets;
  std::swap(descending[2], descending[3]);
  ASSERT_NE(descending, good.offsets);
  EXPECT_TRUE(thrown([&] { list.update(space{}, x, to_device(descending), good.boxes); }));
  expect_same("offsets");
  auto flat = good.boxes;
  flat[4] = upsweep::box<double>({0, 0, 0}, {9, 1e-3, 9});
  EXPECT_TRUE(thrown([&] { list.update(space{}, x, offsets, flat); }));
  expect_same("a box");
  EXPECT_TRUE(thrown([&] { list.plan(space{}, x, offsets, flat); }));
  expect_same("a box of a plan");
  EXPECT_TRUE(thrown([&] { list.update(space{}, x, offsets, others.boxes); }));
  expect_same("other boxes than offsets");
  EXPECT_TRUE(thrown([&] { list.update(space{}, x, other_offsets, others.boxes); }));
  expect_same("other systems, and the particles of these");
  auto lost = others.x;
  lost.back()[1] = nan;
  EXPECT_TRUE(thrown([&] { list.update(space{}, to_positions(lost), other_offsets, others.boxes); }));
  expect_same("a particle of other systems");
  // What was taken over stays, and a plan is dropped by an error.
  list.plan(space{}, other_x, other_offsets, others.boxes);
  EXPECT_TRUE(thrown([&] { list.update(space{}, x, offsets, flat); }));
  EXPECT_TRUE(thrown([&] { list.emit(); }));
  EXPECT_EQ(list.systems(), others.boxes.size());
  list.update(space{}, other_x);
  EXPECT_EQ(list.rows(), others.x.size());
}

}  // namespace
