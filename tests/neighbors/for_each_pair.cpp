// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Pairs without a list: that they are those of the list is tested with all options together (combinations.cpp), and
// of GPUs' kernels in lockstep_masks.cpp and lockstep_flat.cpp.

#include "../contracts/tools.hpp"
#include "../oracle/message_of.hpp"
#include "host_list.hpp"
#include "lists.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/detail/builders/mask_builder.hpp>
#include <upsweep/neighbors/for_each_pair.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace {

using oracle::cell_box;
using oracle::memory;
using oracle::space;
using upsweep::neighbor_builder;

struct count_pairs {
  Kokkos::View<int*, memory> degree;
  KOKKOS_FUNCTION void operator()(int i, int) const { ++degree(i); }
};

// Rows of more candidates than a CPU tests together, and dense cells next to empty ones.
TEST(for_each_pair, rows_of_many_candidates) {
  cell_box<double> const box{{0, 0, 0}, {9, 8, 7}, {true, true, false}, {1, 0, 0.5}};
  auto x = oracle::uniform_points(2500, box, 3);
  for (std::size_t k = 0; k < 900; ++k) x.push_back({3, 3, 3 + 0.001 * double(k % 7)});
  for (double const cutoff : {0.4, 2.9}) {
    auto const expected = oracle::build_list(x, box, cutoff).rows;
    EXPECT_EQ(oracle::visited_rows<double>({box, x, cutoff, {}}, neighbor_builder::automatic), expected);
    EXPECT_EQ(oracle::visited_rows<double>({box, x, cutoff, {}}, neighbor_builder::plain), expected);
  }
}

TEST(for_each_pair, of_no_particles) {
  cell_box<double> const box{{0, 0, 0}, {5, 5, 5}, {true, true, true}};
  EXPECT_EQ(oracle::visited_rows<double>({box, {}, 1.0, {}}, neighbor_builder::automatic), oracle::neighbor_rows());
  EXPECT_EQ(oracle::visited_rows<double>({box, {}, 1.0, {}}, neighbor_builder::plain), oracle::neighbor_rows());
}

// At 3,145 neighbours a particle, where bits of pairs would take 2,500 bytes and a list 12,580.
TEST(for_each_pair, memory_does_not_depend_on_the_pairs) {
  std::size_t const n = 40000;
  double const length = std::cbrt(double(n) / 0.8442), cutoff = std::cbrt(3145 / 0.8442 / (4.0 / 3 * std::acos(-1.0)));
  cell_box<double> const cube{{0, 0, 0}, {length, length, length}, {true, true, true}};
  auto const x = oracle::to_positions(oracle::uniform_points(n, cube, 31));
  Kokkos::View<int*, memory> const degree("degree", n);
  {
    contracts::recorder const seen;
    upsweep::for_each_pair(space{}, x, oracle::to_box(cube), cutoff, count_pairs{degree});
  }
  auto const counts = oracle::to_host(degree);
  double const mean = std::accumulate(counts.begin(), counts.end(), 0.0) / double(n);
  EXPECT_NEAR(mean, 3145, 30);
  EXPECT_LE(contracts::recorder::most_bytes(), 100 * n);
  EXPECT_GE(contracts::recorder::most_bytes(), 24 * n);  // the recorder has seen the copy of the positions, at least
}

struct on_a_line {
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(std::size_t i) const { return {double(i), 0.5, 0.5}; }
};

TEST(for_each_pair, positions_from_a_functor) {
  Kokkos::View<int*, memory> const degree("degree", 10);
  upsweep::box<double> const ring({0, 0, 0}, {10, 1, 1}, {true, false, false});
  upsweep::for_each_pair(space{}, 10, on_a_line{}, ring, 2.0, count_pairs{degree}, {.rows = 9});
  EXPECT_EQ(oracle::to_host(degree), (std::vector<int>{4, 4, 4, 4, 4, 4, 4, 4, 4, 0}));
}

TEST(for_each_pair, refusals) {
  cell_box<double> const cube{{0, 0, 0}, {5, 5, 5}, {true, true, true}};
  auto x = oracle::uniform_points(50, cube, 1);
  auto const positions = oracle::to_positions(x);
  Kokkos::View<int*, memory> const degree("degree", 50);
  auto const message = [&](upsweep::neighbor_options const& options, double cutoff = 1.0) {
    return oracle::message_of<upsweep::precondition_error>([&] {
      upsweep::for_each_pair(space{}, positions, oracle::to_box(cube), cutoff, count_pairs{degree}, options);
    });
  };
  auto const expect = [&](std::string const& text, std::string const& words) {
    EXPECT_EQ(text.rfind("for_each_pair: ", 0), 0u) << text;
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  expect(message({.max_neighbors = 3}), "max_neighbors needs whole rows");
  expect(message({.order = upsweep::row_order::sorted}), "row_order::sorted needs whole rows");
  expect(message({.memory_budget = 1000}), "memory_budget");
  for (auto const& options : {upsweep::neighbor_options{.pair_images = true},
                              {.first_indices = true},
                              {.unwrapped_images = true},
                              {.displacements = true},
                              {.distances = true}})
    expect(message(options), "nothing is kept of pairs");
  expect(message({.half = true, .images = oracle::to_device(std::vector<upsweep::image>(50, upsweep::image(0, 0, 0)))}),
         "half with images needs ids");
  if (!upsweep::neighbors::detail::mask_builder<space, double>::exists)
    expect(message({.builder = neighbor_builder::masks}), "no builder with masks");
  // What binning refuses, it refuses in the name of the list.
  EXPECT_NE(message({}, -1.0).find("cutoff = -1"), std::string::npos);
  EXPECT_NE(message({.rows = 51}).find("rows = 51 of only 50"), std::string::npos);
  for (int const count : oracle::to_host(degree)) EXPECT_EQ(count, 0);
  auto const bad = oracle::message_of<upsweep::precondition_error>([&] {
    Kokkos::View<double**, memory> const flat("flat", 4, 2);
    upsweep::for_each_pair(space{}, flat, oracle::to_box(cube), 1.0, count_pairs{degree});
  });
  expect(bad, "positions has 2 columns");
}

}  // namespace
