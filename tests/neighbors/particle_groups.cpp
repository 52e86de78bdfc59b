// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "host_list.hpp"

#include <upsweep/neighbors/detail/grid/particle_groups.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using upsweep::neighbors::detail::particle_groups;

/// First places of the groups, as the fast builder makes them, and the end of all.
std::vector<int> starts_of_groups(std::vector<int> const& counts, particle_groups const& groups, int row) {
  auto const equal_rows = [row](int cell) { return upsweep::neighbors::detail::cell_row{cell % row, row}; };
  std::vector<int> starts;
  int place = 0;
  for (int cell = 0; cell < int(counts.size()); ++cell) {
    int const n = counts[std::size_t(cell)], here = groups.begin_at(counts.data(), cell, equal_rows);
    for (int k = 0; k < here; ++k) starts.push_back(place + particle_groups::begin_of(k, here, n));
    place += n;
  }
  starts.push_back(place);
  return starts;
}

TEST(particle_groups, hold_every_particle_once_and_cells_of_one_row) {
  std::mt19937 engine(5);
  for (int row : {1, 2, 5, 16, 37})
    for (int most : {1, 4, 60})
      for (int merged : {0, 1, 24, 32}) {
        SCOPED_TRACE(testing::Message() << row << " cells a row, up to " << most << " particles a cell, " << merged
                                        << " merged");
        particle_groups const groups{32, merged};
        std::vector<int> counts(std::size_t(row) * 12), cell_of;
        for (int& n : counts) n = std::uniform_int_distribution<int>(0, most)(engine);
        for (int cell = 0; cell < int(counts.size()); ++cell)
          cell_of.insert(cell_of.end(), std::size_t(counts[std::size_t(cell)]), cell);
        auto const starts = starts_of_groups(counts, groups, row);
        ASSERT_EQ(starts.front(), 0);
        for (std::size_t g = 0; g + 1 < starts.size(); ++g) {
          int const n = starts[g + 1] - starts[g];
          ASSERT_GT(n, 0) << "group " << g;
          int const first = cell_of[std::size_t(starts[g])], last = cell_of[std::size_t(starts[g + 1]) - 1];
          ASSERT_EQ(first / row, last / row) << "group " << g;
          ASSERT_LE(n, first == last ? groups.size : merged) << "group " << g;
        }
      }
}

TEST(particle_groups, are_the_largest_blocks_that_fit) {
  // Blocks of 16, 8 and 4 from the beginning of each row; cells with more particles stay alone.
  std::vector<int> counts(24, 1);
  EXPECT_EQ(starts_of_groups(counts, {32, 24}, 24), (std::vector<int>{0, 16, 24}));
  counts[9] = 20;
  EXPECT_EQ(starts_of_groups(counts, {32, 24}, 24), (std::vector<int>{0, 8, 31, 35, 43}));
  counts[9] = 70;  // three groups of nearly one size
  EXPECT_EQ(starts_of_groups(counts, {32, 24}, 24), (std::vector<int>{0, 8, 9, 32, 55, 79, 81, 85, 93}));
}

/// Rows of many cells with few particles in each: groups reach over many cells, and over the box' border.
template <class Real>
void compare_sparse(bool periodic, std::size_t n) {
  oracle::cell_box<Real> box;
  Real const length[3] = {50, 5, 5};
  for (int d = 0; d < 3; ++d) {
    box.lo[d] = -1;
    box.hi[d] = length[d] - 1;
    box.periodic[d] = periodic;
  }
  auto const x = oracle::uniform_points(n, box, unsigned(n));
  auto const list = oracle::build_list(x, box, Real(1.5));
  ASSERT_EQ(oracle::sorted(list.rows), oracle::sorted(oracle::brute_force(x, box, Real(1.5), oracle::pair_rules{})));
  ASSERT_EQ(oracle::build_list(x, box, Real(1.5), {}, {.builder = upsweep::neighbor_builder::plain}), list);
}

TEST(particle_groups, lists_of_sparse_rows) {
  for (bool periodic : {true, false})
    for (std::size_t n : {20u, 300u, 1500u}) {
      SCOPED_TRACE(testing::Message() << n << " particles, periodic " << periodic);
      ASSERT_NO_FATAL_FAILURE(compare_sparse<double>(periodic, n));
      ASSERT_NO_FATAL_FAILURE(compare_sparse<float>(periodic, n));
    }
}

}  // namespace
