// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What lists take, and what they keep.

#include "../contracts/tools.hpp"
#include "lists.hpp"

#include <upsweep/neighbors/count_neighbors.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace {

using list_type = upsweep::neighbor_list<oracle::space, double>;

oracle::cell_box<double> cube_of(std::size_t n) {
  double const length = std::cbrt(static_cast<double>(n) / 0.8442);
  return {{0, 0, 0}, {length, length, length}, {true, true, true}};
}

TEST(neighbor_memory, bytes_a_particle_of_a_uniform_set) {
  std::size_t const n = 100000;
  auto const cube = cube_of(n);
  auto const x = oracle::to_positions(oracle::uniform_points(n, cube, 31));
  list_type const list(oracle::space{}, x, oracle::to_box(cube), 2.8);
  auto const& plan = list.last_plan();
  EXPECT_EQ(plan.list_bytes, 4 * plan.pairs + 8 * (n + 1));
  EXPECT_LE(plan.other_bytes, 192 * n);
  EXPECT_GE(plan.other_bytes, 24 * n);  // a copy of the positions, at least
}

TEST(neighbor_memory, a_second_build_takes_none) {
  auto const cube = cube_of(5000);
  auto points = oracle::uniform_points(5000, cube, 32);
  auto const x = oracle::to_positions(points);
  for (auto& p : points) p[0] += 0.01;
  auto const moved = oracle::to_positions(points);
  oracle::space const space;
  list_type list(space, oracle::to_box(cube), 2.5, {.builder = upsweep::neighbor_builder::automatic});
  // Twice, since counts differ a little; then memory suffices for both.
  for (int build = 0; build < 2; ++build) {
    list.update(space, x);
    list.update(space, moved);
  }
  contracts::recorder const seen;
  list.update(space, x);
  auto const allocations = contracts::recorder::allocations();
  if constexpr (upsweep::detail::mask_builder<oracle::space, double>::exists) {
    EXPECT_TRUE(allocations.empty()) << allocations.front();
  } else {
    EXPECT_FALSE(allocations.empty());  // the plain builder takes its offsets anew
  }
}

TEST(neighbor_memory, counts_are_those_of_the_list) {
  auto const cube = cube_of(3000);
  auto const x = oracle::to_positions(oracle::uniform_points(3000, cube, 33));
  for (bool half : {false, true}) {
    upsweep::neighbor_options const options{.half = half};
    list_type const list(oracle::space{}, x, oracle::to_box(cube), 2.0, options);
    Kokkos::View<int*, oracle::memory> const counts("counts", 3000);
    auto const plan = upsweep::count_neighbors(oracle::space{}, x, oracle::to_box(cube), 2.0, counts, options);
    EXPECT_EQ(plan.pairs, list.pairs());
    auto const got = oracle::to_host(counts);
    auto const offsets = oracle::to_host(list.offsets());
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(static_cast<std::size_t>(got[i]), offsets[i + 1] - offsets[i]) << i;
  }
  Kokkos::View<int*, oracle::memory> const few("few", 7);
  EXPECT_THROW(upsweep::count_neighbors(oracle::space{}, x, oracle::to_box(cube), 2.0, few), upsweep::precondition_error);
  Kokkos::View<std::int8_t*, oracle::memory> const narrow("narrow", 3000);
  EXPECT_THROW(upsweep::count_neighbors(oracle::space{}, x, oracle::to_box(cube), 9.0, narrow), upsweep::overflow_error);
}

/// The fcc crystal that everybody knows, computed: 191^3 cells of 4.
struct crystal {
  double a;
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(std::int64_t i) const {
    std::int64_t const cell = i / 4, of = i % 4;
    return {a * (static_cast<double>(cell % 191) + (of == 1 || of == 2 ? 0.5 : 0)),
            a * (static_cast<double>(cell / 191 % 191) + (of == 1 || of == 3 ? 0.5 : 0)),
            a * (static_cast<double>(cell / 191 / 191) + (of == 2 || of == 3 ? 0.5 : 0))};
  }
};

TEST(LongNeighbors, more_than_two_to_the_31_pairs) {
  if (!upsweep::compat::is_gpu<oracle::space>) GTEST_SKIP() << "takes 13 GB; run on GPUs";
  double const a = std::cbrt(4 / 0.8442);
  std::int64_t const n = std::int64_t(4) * 191 * 191 * 191;
  list_type const list(oracle::space{}, crystal{a}, n, upsweep::box<double>({0, 0, 0}, {191 * a, 191 * a, 191 * a}), 2.8);
  EXPECT_EQ(list.rows(), 27871484u);
  EXPECT_EQ(list.pairs(), 2173975752u);
  EXPECT_EQ(list.largest_row(), 78u);
}

}  // namespace
