// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "host_list.hpp"

#include <gtest/gtest.h>

namespace {

template <class Real>
void compare(oracle::points<Real> const& x, oracle::cell_box<Real> const& box, Real cutoff, char const* what) {
  auto const list = oracle::build_list(x, box, cutoff);
  auto const expected = oracle::sorted(oracle::brute_force(x, box, cutoff));
  EXPECT_EQ(oracle::sorted(list.rows), expected) << what;
  std::size_t pairs = 0, largest = 0;
  for (auto const& row : expected) {
    pairs += row.size();
    largest = std::max(largest, row.size());
  }
  EXPECT_EQ(list.pairs, pairs) << what;
  EXPECT_EQ(list.largest_row, largest) << what;
  EXPECT_EQ(oracle::build_list(x, box, cutoff, {}, {.builder = upsweep::neighbor_builder::plain}), list) << what;
}

template <class Real>
void compare_all_boundaries(oracle::points<Real> const& x, oracle::cell_box<Real> box, Real cutoff, char const* what) {
  for (int bits = 0; bits < 8; ++bits) {
    for (int d = 0; d < 3; ++d) box.periodic[d] = bits >> d & 1;
    compare(x, box, cutoff, what);
  }
}

TEST(neighbor_list, random_points) {
  for (std::size_t n : {1, 2, 40, 700}) {
    oracle::cell_box<double> const box{{-1, 2, 0.5}, {6, 11, 9.25}, {}};
    compare_all_boundaries(oracle::uniform_points(n, box, 3), box, 1.3, "random");
    compare_all_boundaries(oracle::uniform_points(n, box, 4), box, 3.5, "exactly two cutoffs long in x");
  }
}

TEST(neighbor_list, random_points_in_float) {
  oracle::cell_box<float> const box{{-1, 2, 0.5}, {6, 11, 9.25}, {}};
  compare_all_boundaries(oracle::uniform_points(500, box, 5), box, 1.3f, "float");
}

// Cells exactly a cutoff wide, particles exactly on their borders and pairs exactly at the cutoff.
TEST(neighbor_list, points_on_cell_borders) {
  for (double a : {1.0, 0.1, 1.0 / 3.0}) {
    std::vector<std::array<double, 3>> x;
    for (int k = 0; k < 6; ++k)
      for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i) x.push_back({i * a, j * a, k * a});
    oracle::cell_box<double> const box{{0, 0, 0}, {6 * a, 6 * a, 6 * a}, {}};
    compare_all_boundaries(x, box, a, "cubic lattice, cutoff = spacing");
    compare_all_boundaries(x, box, 3 * a, "cubic lattice, box = two cutoffs");
  }
  auto const fcc = oracle::fcc_points(4, 1.6795961913825073, 0.0);
  compare_all_boundaries(fcc, {{0, 0, 0}, {4 * 1.6795961913825073, 4 * 1.6795961913825073, 4 * 1.6795961913825073}, {}},
                         2.5, "fcc");
}

TEST(neighbor_list, coincident_points) {
  std::vector<std::array<double, 3>> x(60, {2.0, 2.0, 2.0});
  for (int i = 0; i < 20; ++i) x.push_back({double(i) / 4, 0.0, 4.9});
  compare_all_boundaries(x, {{0, 0, 0}, {5, 5, 5}, {}}, 1.0, "coincident");
}

TEST(neighbor_list, points_outside_a_periodic_box_are_wrapped) {
  oracle::cell_box<double> const box{{0, 0, 0}, {5, 6, 7}, {true, true, true}};
  auto x = oracle::uniform_points(300, box, 6);
  for (std::size_t i = 0; i < x.size(); ++i) x[i][i % 3] += (int(i % 7) - 3) * (box.hi[i % 3] - box.lo[i % 3]);
  x.push_back({5, 6, 7});
  x.push_back({-1e-18, 3, 3});
  compare(x, box, 1.5, "outside");
}

TEST(neighbor_list, one_dense_cell_among_empty_ones) {
  oracle::cell_box<double> const cluster{{500, 500, 500}, {501, 501, 501}, {}};
  auto x = oracle::uniform_points(400, cluster, 7);
  x.push_back({0, 0, 0});
  x.push_back({1000, 1000, 1000});
  compare_all_boundaries(x, {{0, 0, 0}, {1000, 1000, 1000}, {}}, 0.3, "dense");
  // A size ratio of a million to one asks for no memory in proportion.
  compare_all_boundaries(x, {{0, 0, 0}, {1000, 1000, 1000}, {}}, 0.001, "sparse");
}

}  // namespace
