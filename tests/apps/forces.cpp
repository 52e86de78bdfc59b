// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/forces/force_grid.hpp"
#include "../../apps/nbody/forces/forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace {

using point = std::array<double, 3>;

/// Sets what loops read from the rows.
struct set_from_rows {
  nbody::neighbor_positions positions;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const row = static_cast<std::size_t>(i);
    for (int d = 0; d < 4; ++d) positions.set(row, d, positions(row, d));
  }
};

/// The force on the first particle, whose neighbours are the others in the order given.
point force_on_first(std::vector<point> const& points, std::vector<int> const& order, double cutoff = 2.5) {
  nbody::space_type const space;
  std::size_t const n = points.size();
  auto const positions = nbody::make_positions(space, n);
  Kokkos::deep_copy(positions.rows, 0.0);
  auto const host = Kokkos::create_mirror_view(positions.rows);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t d = 0; d < 3; ++d) host(i, d) = points[i][d];
  Kokkos::deep_copy(positions.rows, host);
  Kokkos::parallel_for("set", nbody::particles(space, n), set_from_rows{positions});
  Kokkos::View<std::size_t*, nbody::memory_space> const offsets("offsets", 2);
  Kokkos::View<int*, nbody::memory_space> const neighbors("neighbors", order.size());
  auto const h_offsets = Kokkos::create_mirror_view(offsets);
  auto const h_neighbors = Kokkos::create_mirror_view(neighbors);
  h_offsets(0) = 0;
  h_offsets(1) = order.size();
  for (std::size_t k = 0; k < order.size(); ++k) h_neighbors(k) = order[k];
  Kokkos::deep_copy(offsets, h_offsets);
  Kokkos::deep_copy(neighbors, h_neighbors);
  nbody::vectors const forces("forces", 1);
  nbody::compute_forces(space, upsweep::make_neighbor_rows(offsets, neighbors), positions, {cutoff * cutoff}, forces);
  space.fence();
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, forces);
  return {result(0, 0), result(0, 1), result(0, 2)};
}

/// A particle and neighbours at random directions, at distances from `nearest` to `farthest`.
std::vector<point> cluster(unsigned seed, std::size_t neighbors, double nearest, double farthest) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> distance(nearest, farthest);
  std::vector<point> points{{0.1, -0.2, 0.3}};
  for (std::size_t k = 0; k < neighbors; ++k) {
    point const way{normal(random), normal(random), normal(random)};
    double const r = k == 0 ? nearest : distance(random), length = std::hypot(way[0], way[1], way[2]);
    points.push_back(
        {points[0][0] + way[0] / length * r, points[0][1] + way[1] / length * r, points[0][2] + way[2] / length * r});
  }
  return points;
}

/// The same bits in any order of the neighbours; and close to the plain sum.
void expect_one_force(std::vector<point> const& points, char const* what) {
  std::vector<int> order(points.size() - 1);
  std::iota(order.begin(), order.end(), 1);
  auto const expected = force_on_first(points, order);
  std::mt19937 random(7);
  for (int k = 0; k < 20; ++k) {
    std::shuffle(order.begin(), order.end(), random);
    ASSERT_EQ(force_on_first(points, order), expected) << what << ", " << points.size() << " particles";
  }
  point plain{};
  double size = 0;
  for (std::size_t j = 1; j < points.size(); ++j) {
    point way;
    double r2 = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      way[d] = points[0][d] - points[j][d];
      r2 += way[d] * way[d];
    }
    if (r2 > 6.25) continue;
    double const f = nbody::lennard_jones::force_over_r(1 / r2);
    for (std::size_t d = 0; d < 3; ++d) plain[d] += way[d] * f;
    size += std::abs(f) * std::sqrt(r2);
  }
  for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(expected[d], plain[d], 1e-11 + 1e-13 * size) << what;
}

// Rounding to the grid fails beyond 2^11 units, where the sum with the magic number leaves its binade downwards.
TEST(force_grid, components_up_to_two_to_the_eleven_units_are_rounded_to_the_spacing) {
  auto const is_multiple = [](double q, double spacing) { return std::remainder(q, spacing) == 0; };
  for (double const unit : {1.0, 2.0, 1024.0, 0x1p60})
    for (double const sign : {1.0, -1.0}) {
      double const limit = sign * 0x1p11 * unit, below = std::nextafter(limit, 0.0);
      EXPECT_EQ(nbody::product_on_force_grid(limit, 1.0, unit), limit);
      EXPECT_EQ(nbody::product_on_force_grid(below, 1.0, unit), limit);
      for (double const f : {below, limit * 0.7310585786300049, limit * 1e-3, limit * 1e-9}) {
        double const q = nbody::product_on_force_grid(f, 1.0, unit);
        EXPECT_TRUE(is_multiple(q, 0x1p-40 * unit)) << f;
        EXPECT_LE(std::abs(q - f), 0x1p-41 * unit) << f;
      }
    }
  // What the limit is there for.
  double const beyond = -(0x1p11 + 0x1p-41);
  EXPECT_FALSE(is_multiple(nbody::product_on_force_grid(beyond, 1.0, 1), 0x1p-40));
}

TEST(force_grid, near_pairs_of_any_strength_sum_to_the_same_bits_in_any_order) {
  for (double const nearest : {0.95, 0.76, 0.75, 0.74, 0.70, 0.6, 0.5, 0.3, 0.1, 1e-2, 1e-5})
    for (unsigned seed = 0; seed < 6; ++seed) expect_one_force(cluster(seed, 40, nearest, 1.6), "one near pair");
}

// No pair beyond 2^11, but sums beyond 2^13.
TEST(force_grid, many_pairs_whose_sum_leaves_the_finest_grid_sum_to_the_same_bits_in_any_order) {
  for (std::size_t const neighbors : {3, 8, 30, 200})
    for (unsigned seed = 0; seed < 6; ++seed) {
      expect_one_force(cluster(seed, neighbors, 0.751, 0.76), "dense");
      expect_one_force(cluster(seed, neighbors, 0.6, 0.76), "denser");
    }
}

// Forces between 2^12 and 2^13. A grid of unit 2 would do if grids held forces of up to 2^12 units; they hold 2^11.
TEST(force_grid, strong_pairs_along_a_line_sum_to_the_same_bits_in_any_order) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> distance(0.695, 0.704);  // forces of 4300 to 5200
  for (int k = 0; k < 20; ++k) {
    double const left = distance(random), right = distance(random), farther = distance(random);
    expect_one_force({{0, 0, 0}, {right, 0, 0}, {farther, 0, 0}, {-left, 0, 0}}, "three in a line");
  }
}

// A list far beyond the cutoff: the quick bound fails by the number of neighbours alone.
TEST(force_grid, very_long_rows_sum_to_the_same_bits_in_any_order) {
  expect_one_force(cluster(1, 4001, 0.9, 3.5), "long row");
}

TEST(force_grid, a_pair_at_one_place_gives_no_number_instead_of_a_wrong_one) {
  auto const force = force_on_first({{1, 2, 3}, {1, 2, 3}, {2, 2, 3}}, {1, 2});
  for (double const f : force) EXPECT_TRUE(std::isnan(f));
}

}  // namespace
