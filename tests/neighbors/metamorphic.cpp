// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The same particles described in another way have the same neighbours: sets too large for brute force.

#include "host_list.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace {

using oracle::build_list;
using oracle::cell_box;
using oracle::points;

cell_box<double> const leaning{{-3, 1, 2}, {9, 12, 12}, {true, true, true}, {4, -7, 2.5}};

std::vector<std::size_t> row_sizes(oracle::host_list const& list) {
  std::vector<std::size_t> sizes;
  for (auto const& row : list.rows) sizes.push_back(row.size());
  return sizes;
}

template <class Real>
points<Real> moved(points<Real> x, std::array<Real, 3> const& by, Real times) {
  for (auto& p : x)
    for (std::size_t d = 0; d < 3; ++d) p[d] += times * by[d];
  return x;
}

TEST(neighbor_metamorphic, supercell) {
  // Two cells by one by three, of a cell that is shorter than the cutoff and of one that is not.
  for (double cutoff : {2.0, 13.0}) {
    auto const x = oracle::uniform_points(cutoff < 3 ? 3000 : 60, leaning, 1);
    auto const one = row_sizes(build_list(x, leaning, cutoff));
    points<double> all;
    std::vector<std::size_t> expected;
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 2; ++a) {
        auto const copy = moved(moved(x, leaning.edge(2), double(c)), leaning.edge(0), double(a));
        all.insert(all.end(), copy.begin(), copy.end());
        expected.insert(expected.end(), one.begin(), one.end());
      }
    auto large = leaning;
    large.hi[0] += large.length(0);
    large.hi[2] += 2 * large.length(2);
    large.tilt = {4, -21, 7.5};
    EXPECT_EQ(row_sizes(build_list(all, large, cutoff)), expected);
  }
}

TEST(neighbor_metamorphic, other_edges_of_the_same_lattice) {
  auto const x = oracle::uniform_points(700, leaning, 2);
  auto const expected = row_sizes(build_list(x, leaning, 3.0));
  double const lx = leaning.length(0), ly = leaning.length(1), xy = leaning.tilt[0];
  // b + k a, c + m b + n a.
  for (auto const& [k, m, n] : {std::array{1., 0., 0.}, {-1., 0., 1.}, {0., 1., 0.}, {2., -1., -3.}, {-4., 2., 3.}}) {
    auto other = leaning;
    other.tilt = {xy + k * lx, leaning.tilt[1] + m * xy + n * lx, leaning.tilt[2] + m * ly};
    EXPECT_EQ(row_sizes(build_list(x, other, 3.0)), expected) << k << ' ' << m << ' ' << n;
  }
}

TEST(neighbor_metamorphic, translation) {
  auto const x = oracle::uniform_points(4000, leaning, 3);
  auto const expected = row_sizes(build_list(x, leaning, 2.0));
  EXPECT_EQ(row_sizes(build_list(moved(x, {1.5, -20, 0.25}, 1.0), leaning, 2.0)), expected);
}

TEST(neighbor_metamorphic, axes_exchanged) {
  cell_box<double> const box{{0, 0, 0}, {30, 11, 4}, {true, false, true}};
  auto const x = oracle::uniform_points(3000, box, 4);
  auto const list = build_list(x, box, 2.5);
  cell_box<double> const turned{{0, 0, 0}, {4, 30, 11}, {true, true, false}};
  points<double> y;
  for (auto const& p : x) y.push_back({p[2], p[0], p[1]});
  auto rows = build_list(y, turned, 2.5).rows;
  for (auto& row : rows)
    for (auto& [j, sx, sy, sz] : row) std::tie(sx, sy, sz) = std::tuple(sy, sz, sx);
  EXPECT_EQ(oracle::sorted(rows), oracle::sorted(list.rows));
}

TEST(neighbor_metamorphic, half_lists_joined_are_full_ones) {
  auto const x = oracle::uniform_points(200, leaning, 5);
  for (double cutoff : {2.0, 15.0}) {
    oracle::pair_rules half;
    half.half = true;
    auto rows = build_list(x, leaning, cutoff, half).rows;
    auto joined = rows;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (auto const& [j, sx, sy, sz] : rows[i]) joined[static_cast<std::size_t>(j)].emplace_back(int(i), -sx, -sy, -sz);
    EXPECT_EQ(oracle::sorted(joined), oracle::sorted(build_list(x, leaning, cutoff).rows));
  }
}

TEST(neighbor_metamorphic, a_set_with_itself) {
  auto const x = oracle::uniform_points(1000, leaning, 6);
  auto twice = x;
  twice.insert(twice.end(), x.begin(), x.end());
  oracle::pair_rules two;
  two.queries = 1000;
  auto rows = build_list(x, leaning, 3.0).rows;
  for (int i = 0; i < 1000; ++i) rows[static_cast<std::size_t>(i)].emplace_back(i, 0, 0, 0);
  EXPECT_EQ(oracle::sorted(build_list(twice, leaning, 3.0, two).rows), oracle::sorted(rows));
}

TEST(neighbor_metamorphic, ghosts_made_by_hand) {
  auto const x = oracle::uniform_points(150, leaning, 7);
  auto const expected = build_list(x, leaning, 6.0);
  auto const reach = oracle::image_reach(leaning, 6.0);
  auto all = x;
  oracle::pair_rules rules;
  rules.rows = 150;
  rules.ids.resize(150);
  std::iota(rules.ids.begin(), rules.ids.end(), 0);
  rules.images.resize(150);
  for (int sz = -reach[2]; sz <= reach[2]; ++sz)
    for (int sy = -reach[1]; sy <= reach[1]; ++sy)
      for (int sx = -reach[0]; sx <= reach[0]; ++sx) {
        if (sx == 0 && sy == 0 && sz == 0) continue;
        all.insert(all.end(), x.begin(), x.end());
        for (int i = 0; i < 150; ++i) rules.ids.push_back(i);
        rules.images.resize(all.size(), {sx, sy, sz});
      }
  auto const list = build_list(all, leaning, 6.0, rules);
  EXPECT_EQ(list.pairs, expected.pairs);
  EXPECT_EQ(list.hash, expected.hash);
  rules.half = true;
  auto const half = build_list(all, leaning, 6.0, rules);
  EXPECT_EQ(2 * half.pairs, expected.pairs);
  EXPECT_EQ(half.hash, expected.hash);
}

}  // namespace
