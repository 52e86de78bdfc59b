// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lists that the library has not compiled are those that it has.

#include "../oracle/points.hpp"
#include "boxes.hpp"
#include "lists.hpp"

#include <upsweep/neighbors/compile_lists.hpp>
#include <upsweep/neighbors/for_each_pair.hpp>

#include <gtest/gtest.h>

namespace {

TEST(compile_lists, lists_of_another_execution_space_are_equal) {
#if defined(KOKKOS_ENABLE_SERIAL)
  using space = Kokkos::Serial;
  oracle::cell_box<double> const cell{{0, 0, 0}, {9, 9, 9}, {true, true, true}};
  auto const box = oracle::to_box(cell);
  auto const points = oracle::uniform_points(700, cell, 5);
  Kokkos::View<double* [3], Kokkos::HostSpace> const x("x", points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) x(i, d) = points[i][d];
  upsweep::neighbor_list<space, double> const other(space{}, x, box, 2.0, {.pair_images = true});
  upsweep::neighbor_list const list(oracle::space{}, oracle::to_positions(points), box, 2.0, {.pair_images = true});
  EXPECT_GT(other.pairs(), 10000u);
  EXPECT_EQ(other.hash(), list.hash());
  EXPECT_EQ(oracle::to_host(other.neighbors()), oracle::to_host(list.neighbors()));

  using upsweep::neighbor_builder;
  for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain}) {
    std::size_t pairs = 0;
    upsweep::for_each_pair(space{}, x, box, 2.0, [&pairs](int, int) { ++pairs; }, {.builder = builder});
    EXPECT_EQ(pairs, list.pairs()) << static_cast<int>(builder);
  }
#else
  GTEST_SKIP() << "Kokkos has no execution space Serial beside the default one";
#endif
}

}  // namespace
