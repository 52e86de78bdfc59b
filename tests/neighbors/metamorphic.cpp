// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The same particles described in another way have the same neighbours: sets too large for brute force.

#include "boxes.hpp"
#include "host_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

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

/// Particles at all multiples of the edges over n; where `far` says so, each a different number of whole edges away.
template <class Real>
points<Real> lattice(cell_box<Real> const& box, int n, bool far) {
  points<Real> x;
  for (int i = 0; i < n * n * n; ++i) {
    int const site[3] = {i % n, i / n % n, i / n / n}, edges[3] = {i % 5 - 2, i % 7 - 3, i % 3 - 1};
    auto p = box.lo;
    for (int d = 0; d < 3; ++d) {
      Real const f = Real(site[d]) / Real(n) + (far ? Real(edges[d]) : Real(0));
      for (std::size_t c = 0; c < 3; ++c) p[c] += f * box.edge(d)[c];
    }
    x.push_back(p);
  }
  return x;
}

// Where nothing is rounded, the very same list.
TEST(neighbor_metamorphic, whole_edges_without_roundings) {
  cell_box<double> const box{{-3, 1, 2}, {9, 9, 18}, {true, true, true}, {4, -7, 2.5}};
  for (double cutoff : {2.0, 2.5, 9.0}) {
    auto const expected = build_list(lattice(box, 8, false), box, cutoff);
    EXPECT_EQ(build_list(lattice(box, 8, true), box, cutoff), expected);
    EXPECT_GT(expected.pairs, 0u);
  }
}

/// Whole edges from a to b.
template <class Real>
std::array<int, 3> edges_between(cell_box<Real> const& box, std::array<Real, 3> const& a,
                                 std::array<Real, 3> const& b) {
  Real way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  std::array<int, 3> edges;
  for (int d = 2; d >= 0; --d) {
    Real const k = std::round(way[d] / box.length(d));
    edges[static_cast<std::size_t>(d)] = static_cast<int>(k);
    for (int c = 0; c <= d; ++c) way[c] -= k * box.edge(d)[static_cast<std::size_t>(c)];
  }
  return edges;
}

// Roundings may bring a particle on a border to the opposite one; then the images of its pairs say so.
template <class Real>
void whole_edges_on_a_lattice(cell_box<Real> const& box, Real cutoff) {
  auto const near = lattice(box, 10, false), far = lattice(box, 10, true);
  auto const from = oracle::wrapped_by_library(box, near), to = oracle::wrapped_by_library(box, far);
  auto rows = build_list(near, box, cutoff).rows;
  std::size_t other_border = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto const mine = edges_between(box, from[i], to[i]);
    other_border += mine != std::array<int, 3>{};
    for (auto& [j, sx, sy, sz] : rows[i]) {
      auto const other = edges_between(box, from[static_cast<std::size_t>(j)], to[static_cast<std::size_t>(j)]);
      sx += mine[0] - other[0];
      sy += mine[1] - other[1];
      sz += mine[2] - other[2];
    }
  }
  EXPECT_EQ(oracle::sorted(build_list(far, box, cutoff).rows), oracle::sorted(rows));
  EXPECT_GT(other_border, 0u) << "some particles are on borders";
}

TEST(neighbor_metamorphic, whole_edges_on_a_tilted_lattice) {
  // Between two shells of neighbours.
  whole_edges_on_a_lattice<double>({{0, 0, 0}, {37.3, 34.1, 35.7}, {true, true, true}, {7.1, -5.3, 4.7}}, 5.0);
  whole_edges_on_a_lattice<float>({{-5, 3, 0}, {32.3f, 37.1f, 35.7f}, {true, true, true}, {7.1f, -5.3f, 4.7f}}, 5.0f);
}

TEST(neighbor_metamorphic, another_order_of_particles) {
  auto const x = lattice(leaning, 9, true);
  std::vector<std::size_t> from(x.size());
  std::iota(from.begin(), from.end(), std::size_t(0));
  std::shuffle(from.begin(), from.end(), std::mt19937_64(1));
  points<double> shuffled;
  oracle::pair_rules ids;
  for (auto i : from) {
    shuffled.push_back(x[i]);
    ids.ids.push_back(static_cast<std::int64_t>(i));
  }
  auto const list = build_list(x, leaning, 3.0), other = build_list(shuffled, leaning, 3.0, ids);
  EXPECT_EQ(other.hash, list.hash);
  auto rows = other.rows;
  for (std::size_t k = 0; k < from.size(); ++k) {
    rows[from[k]] = other.rows[k];
    for (auto& n : rows[from[k]]) std::get<0>(n) = static_cast<int>(from[static_cast<std::size_t>(std::get<0>(n))]);
  }
  EXPECT_EQ(oracle::sorted(rows), oracle::sorted(list.rows));
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
      for (auto const& [j, sx, sy, sz] : rows[i])
        joined[static_cast<std::size_t>(j)].emplace_back(int(i), -sx, -sy, -sz);
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
