// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../../apps/interpolate/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace {

using namespace interpolate;
using function = std::function<double(double, double, double)>;

/// Points of the Halton sequence in the unit cube, or in the unit square with z = 0.
std::vector<double> halton(std::size_t n, int dimensions, std::size_t first = 1) {
  static constexpr int bases[] = {2, 3, 5};
  std::vector<double> points(3 * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (int d = 0; d < dimensions; ++d) {
      double share = 1;
      for (std::size_t rest = i + first; rest > 0; rest /= static_cast<std::size_t>(bases[d])) {
        share /= bases[d];
        points[3 * i + static_cast<std::size_t>(d)] +=
            share * static_cast<double>(rest % static_cast<std::size_t>(bases[d]));
      }
    }
  return points;
}

std::vector<double> values_of(std::vector<double> const& points, std::vector<function> const& fields) {
  std::vector<double> values;
  for (std::size_t i = 0; i < points.size(); i += 3)
    for (auto const& f : fields) values.push_back(f(points[i], points[i + 1], points[i + 2]));
  return values;
}

/// A problem in an open box that holds the unit cube and more.
problem make_problem(int dimensions, std::vector<double> const& points, std::vector<double> const& targets,
                     std::vector<function> const& fields) {
  problem p;
  p.dimensions = dimensions;
  p.points = points;
  p.targets = targets;
  p.values = values_of(points, fields);
  p.fields = fields.size();
  p.domain = box({-4, -4, -4}, {4, 4, 4}, {false, false, false});
  return p;
}

results solve(problem const& p, method wanted, double radius) {
  apps::phase_times times;
  return run(space_type(), p, wanted, radius, times);
}

/// The largest error of any field.
double error_of(problem const& p, results const& r, std::vector<function> const& fields) {
  auto const exact = values_of(p.targets, fields);
  double largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_TRUE(std::isfinite(r.values[i])) << i;
    largest = std::max(largest, std::abs(r.values[i] - exact[i]));
  }
  return largest;
}

double one(double, double, double) { return -3.5; }
double plane(double x, double y, double z) { return 2 - 3 * x + 5 * y + 0.5 * z; }
double paraboloid(double x, double y, double z) {
  return plane(x, y, z) + 4 * x * x - x * y + y * y + 3 * y * z - 2 * z * z;
}

TEST(interpolate_weights, polynomials_of_the_degree_are_reproduced) {
  for (int const dimensions : {2, 3}) {
    auto const points = halton(3000, dimensions), targets = halton(500, dimensions, 7777);
    double const radius = dimensions == 2 ? 0.1 : 0.25;
    std::vector<function> const linear{one, plane}, quadratic{one, plane, paraboloid};
    auto const p1 = make_problem(dimensions, points, targets, linear);
    auto const r1 = solve(p1, method::linear, radius);
    EXPECT_EQ(r1.degrees.linear, 500);
    EXPECT_LT(error_of(p1, r1, linear), 1e-10);
    auto const p2 = make_problem(dimensions, points, targets, quadratic);
    auto const r2 = solve(p2, method::quadratic, radius);
    EXPECT_EQ(r2.degrees.quadratic, 500);
    EXPECT_LT(error_of(p2, r2, quadratic), 1e-10);
    // What is of a higher degree is not.
    EXPECT_GT(error_of(p2, solve(p2, method::linear, radius), quadratic), 1e-4);
  }
}

/// Few points, some of them all on one side: weights are then differences of large numbers. Solving for them alone, or
/// again with what is missing on the right side, had errors of 1e-7.
TEST(interpolate_weights, polynomials_are_reproduced_where_points_are_few) {
  std::vector<function> const fields{one, plane, paraboloid};
  auto const targets = halton(1000, 3, 991);
  auto const exact = values_of(targets, fields);
  for (std::size_t const n : {30, 45, 60, 90})
    for (double const radius : {0.4, 0.5, 0.62}) {
      auto const r = solve(make_problem(3, halton(n, 3), targets, fields), method::quadratic, radius);
      std::int64_t wrong[3] = {0, 0, 0};
      for (std::size_t i = 0; i < exact.size(); ++i) wrong[i % 3] += !(std::abs(r.values[i] - exact[i]) < 1e-10);
      auto const& d = r.degrees;
      EXPECT_EQ(wrong[0], d.none) << n << " " << radius;
      EXPECT_EQ(wrong[1], d.none + d.constant) << n << " " << radius;
      EXPECT_EQ(wrong[2], d.none + d.constant + d.linear) << n << " " << radius;
      EXPECT_GT(d.quadratic, 0);
    }
}

double smooth(double x, double y, double z) { return std::sin(3 * x) * std::cos(2 * y) * std::exp(z); }

/// The root of the mean squared error at a radius of so many spacings.
double mean_error(int n_per_side, method wanted, double spacings) {
  auto const n = static_cast<std::size_t>(n_per_side * n_per_side * n_per_side);
  auto const targets = halton(2000, 3, 100003);
  auto const p = make_problem(3, halton(n, 3), targets, {smooth});
  auto const r = solve(p, wanted, spacings / n_per_side);
  auto const exact = values_of(targets, {smooth});
  double sum = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) sum += std::pow(r.values[i] - exact[i], 2);
  return std::sqrt(sum / static_cast<double>(exact.size()));
}

TEST(interpolate_weights, errors_shrink_as_the_degree_promises) {
  EXPECT_GT(std::log2(mean_error(12, method::linear, 2.5) / mean_error(24, method::linear, 2.5)), 1.8);
  EXPECT_GT(std::log2(mean_error(12, method::quadratic, 3.2) / mean_error(24, method::quadratic, 3.2)), 2.8);
}

TEST(interpolate_weights, means_reproduce_constants_and_take_the_values_of_points) {
  auto points = halton(800, 3);
  auto const targets = halton(300, 3, 5000);
  auto const p = make_problem(3, points, targets, {one});
  auto const r = solve(p, method::shepard, 0.3);
  EXPECT_EQ(r.degrees.constant, 300);
  EXPECT_LT(error_of(p, r, {one}), 1e-12);
  // Two points at one place have a mean of their own.
  std::copy(points.begin(), points.begin() + 3, points.begin() + 3);
  auto at_points = make_problem(3, points, points, {smooth});
  at_points.values[1] += 2;
  auto const there = solve(at_points, method::shepard, 0.3);
  EXPECT_NEAR(there.values[0], at_points.values[0] + 1, 1e-14);
  for (std::size_t i = 2; i < at_points.values.size(); ++i) EXPECT_EQ(there.values[i], at_points.values[i]);
}

TEST(interpolate_weights, the_degree_drops_where_points_are_few_or_flat) {
  // On a plane, on a line, in one place, and none.
  std::mt19937 random(3);
  std::uniform_real_distribution<double> draw(-0.3, 0.3);
  auto const dropped = [&](int free, std::size_t n, method wanted) {
    std::vector<double> points;
    for (std::size_t i = 0; i < n; ++i)
      for (int d = 0; d < 3; ++d) points.push_back(d < free ? draw(random) : 0.1);
    return solve(make_problem(3, points, {0, 0, 0, 3, 3, 3}, {one}), wanted, 0.9);
  };
  auto const cube = dropped(3, 100, method::quadratic);
  EXPECT_EQ(cube.degrees.quadratic, 1);
  EXPECT_EQ(cube.degrees.none, 1);
  EXPECT_TRUE(std::isnan(cube.values[1]));
  EXPECT_NEAR(cube.values[0], -3.5, 1e-12);
  EXPECT_EQ(dropped(3, 9, method::quadratic).degrees.linear, 1);
  EXPECT_EQ(dropped(3, 3, method::quadratic).degrees.constant, 1);
  for (int const free : {0, 1, 2}) {
    auto const flat = dropped(free, 100, method::quadratic);
    EXPECT_EQ(flat.degrees.constant, 1) << free;
    EXPECT_NEAR(flat.values[0], -3.5, 1e-12);
  }
  EXPECT_EQ(dropped(2, 100, method::shepard).degrees.constant, 1);
}

TEST(interpolate_weights, points_count_by_their_images_in_a_periodic_box) {
  double const turn = 2 * std::numbers::pi;
  function const wave = [&](double x, double y, double z) {
    return std::sin(turn * x) + std::cos(turn * y) * std::sin(turn * z);
  };
  // The same targets in the box and some boxes away.
  auto inside = halton(300, 3, 999), outside = inside;
  for (std::size_t i = 0; i < outside.size(); ++i) outside[i] += static_cast<double>(i % 5) - 2;
  for (auto const& targets : {inside, outside}) {
    auto p = make_problem(3, halton(8000, 3), targets, {wave});
    p.domain = box({0, 0, 0}, {1, 1, 1});
    auto const r = solve(p, method::quadratic, 0.15);
    EXPECT_EQ(r.degrees.quadratic, 300);
    EXPECT_LT(error_of(p, r, {wave}), 0.02);
  }
}

TEST(interpolate_weights, serve_all_fields_alike) {
  std::vector<function> fields;
  for (int k = 0; k < 10; ++k)
    fields.push_back([k](double x, double y, double z) { return smooth(x, y, z) * k + plane(x, y, z); });
  auto const points = halton(2000, 3), targets = halton(100, 3, 321);
  auto const all = solve(make_problem(3, points, targets, fields), method::quadratic, 0.3);
  for (std::size_t k = 0; k < fields.size(); ++k) {
    auto const alone = solve(make_problem(3, points, targets, {fields[k]}), method::quadratic, 0.3);
    for (std::size_t i = 0; i < 100; ++i) EXPECT_NEAR(all.values[10 * i + k], alone.values[i], 1e-12);
  }
}

}  // namespace
