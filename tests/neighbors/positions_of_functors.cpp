// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A functor of positions may be dear: builds call it once for each particle and go on with what it said. What it says
// is checked as the rows of a View are.

#include "../oracle/forks.hpp"
#include "../oracle/message_of.hpp"
#include "lists.hpp"

#include <upsweep/neighbors/for_each_pair.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using oracle::space;
using upsweep::neighbor_builder;
using list_type = upsweep::neighbor_list<space, double>;

oracle::cell_box<double> const cube{{0, 0, 0}, {9, 9, 9}, {true, true, true}};

/// Says what a View has, and counts how often it was asked for each particle.
struct counting_positions {
  oracle::positions_view<double> x;
  Kokkos::View<int*, oracle::memory> calls;
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(std::size_t i) const {
    Kokkos::atomic_inc(&calls(i));
    return {x(i, 0), x(i, 1), x(i, 2)};
  }
};

struct no_pair {
  KOKKOS_FUNCTION void operator()(int, int, upsweep::image) const {}
};

counting_positions counting(std::vector<std::array<double, 3>> const& points) {
  return {oracle::to_positions(points), Kokkos::View<int*, oracle::memory>("calls", points.size())};
}

std::vector<int> calls_of(counting_positions const& positions) {
  space().fence();
  return oracle::to_host(positions.calls);
}

// Sizes of which each builder takes some by itself: of few particles, and of many.
constexpr std::size_t sizes[] = {1, 40, 700, 6000};
constexpr neighbor_builder builders[] = {neighbor_builder::automatic, neighbor_builder::plain};

void expect_one_call_by_each_build() {
  auto const box = oracle::to_box(cube);
  for (auto const builder : builders) {
    for (std::size_t const n : sizes) {
      SCOPED_TRACE(testing::Message() << n << " particles, builder " << static_cast<int>(builder));
      upsweep::neighbor_options const options{.builder = builder};
      auto const n_particles = static_cast<std::int64_t>(n);
      auto const first = counting(oracle::uniform_points(n, cube, 1));
      list_type list(space(), n_particles, first, box, 1.3, options);
      EXPECT_EQ(calls_of(first), std::vector<int>(n, 1));
      list_type const of_view(space(), first.x, box, 1.3, options);
      EXPECT_EQ(oracle::to_host(list.neighbors()), oracle::to_host(of_view.neighbors()));

      auto const moved = counting(oracle::uniform_points(n, cube, 2));
      list.update(space(), n_particles, moved);
      EXPECT_EQ(calls_of(moved), std::vector<int>(n, 1));
      // The functor of before is not asked again.
      EXPECT_EQ(calls_of(first), std::vector<int>(n, 1));

      // Nor is one asked for the rows after it was asked for the plan.
      auto const planned = counting(oracle::uniform_points(n, cube, 3));
      list.plan(space(), n_particles, planned);
      list.emit();
      EXPECT_EQ(calls_of(planned), std::vector<int>(n, 1));
    }
  }
}

void expect_one_call_where_pairs_are_visited() {
  for (auto const builder : builders) {
    for (std::size_t const n : sizes) {
      SCOPED_TRACE(testing::Message() << n << " particles, builder " << static_cast<int>(builder));
      auto const positions = counting(oracle::uniform_points(n, cube, 4));
      upsweep::for_each_pair(space(), n, positions, oracle::to_box(cube), 1.3, no_pair{}, {.builder = builder});
      EXPECT_EQ(calls_of(positions), std::vector<int>(n, 1));
    }
  }
}

// On CPUs by all threads, by one, and begun by one and shared out then.
TEST(positions_of_functors, are_asked_for_once_by_each_build) {
  expect_one_call_by_each_build();
  {
    oracle::no_forks const none;
    expect_one_call_by_each_build();
  }
  oracle::learned_forks const learned;
  expect_one_call_by_each_build();
}

TEST(positions_of_functors, are_asked_for_once_where_pairs_are_visited) {
  expect_one_call_where_pairs_are_visited();
  {
    oracle::no_forks const none;
    expect_one_call_where_pairs_are_visited();
  }
  oracle::learned_forks const learned;
  expect_one_call_where_pairs_are_visited();
}

TEST(positions_of_functors, a_bad_one_is_named) {
  auto const box = oracle::to_box(cube);
  for (auto const builder : builders) {
    for (std::size_t const n : {std::size_t(40), std::size_t(6000)}) {
      SCOPED_TRACE(testing::Message() << n << " particles, builder " << static_cast<int>(builder));
      upsweep::neighbor_options const options{.builder = builder};
      auto const n_particles = static_cast<std::int64_t>(n);
      auto points = oracle::uniform_points(n, cube, 5);
      auto const good = counting(points);
      points[17][1] = std::numeric_limits<double>::quiet_NaN();
      auto const bad = counting(points);

      std::string const built = oracle::message_of([&] { list_type(space(), n_particles, bad, box, 1.3, options); });
      EXPECT_NE(built.find("particle 17"), std::string::npos) << built;
      list_type list(space(), n_particles, good, box, 1.3, options);
      std::string const updated = oracle::message_of([&] { list.update(space(), n_particles, bad); });
      EXPECT_NE(updated.find("particle 17"), std::string::npos) << updated;
      EXPECT_EQ(calls_of(bad), std::vector<int>(n, 2));  // one call for each of the two builds

      // The next build is as if that one had not been.
      list.update(space(), n_particles, good);
      EXPECT_EQ(list.pairs(), list_type(space(), good.x, box, 1.3, options).pairs());
    }
  }
}

}  // namespace
