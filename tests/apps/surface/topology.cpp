// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "mesh_checks.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace {

using namespace surface_test;

/// Values of a normal distribution, or of a few integers: then many are exactly the iso value.
template <class Real>
std::vector<Real> random_values(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Real> values(n);
  for (auto& v : values)
    v = seed % 3 == 0 ? static_cast<Real>(static_cast<int>(random() % 3) - 1) : static_cast<Real>(normal(random));
  return values;
}

/// Few points each way, except along k, where words of 64 points begin and end.
surface::grid random_grid(unsigned seed) {
  std::mt19937 random(seed + 12345);
  static constexpr int lengths[] = {2, 3, 5, 17, 63, 64, 65, 66, 127, 128, 129, 130, 191, 200};
  return unit_grid(2 + random() % 6, 2 + random() % 6, lengths[random() % std::size(lengths)]);
}

template <class Real>
void check_random_field(unsigned seed) {
  auto const g = random_grid(seed);
  auto const values = random_values<Real>(static_cast<std::size_t>(g.size()), seed);
  Real const iso = seed % 2 == 0 ? Real(0) : Real(0.5);
  auto const m = extracted(g, values, iso);
  ASSERT_EQ(fault_of(m, g), "") << "seed " << seed;
  ASSERT_EQ(static_cast<std::int64_t>(m.triangles.size()), count_triangles(g, values, iso)) << "seed " << seed;
}

TEST(surface_edges, each_lies_in_two_triangles_of_random_fields) {
  for (unsigned seed = 0; seed < 50; ++seed) check_random_field<double>(seed);
}

TEST(long_surface_edges, each_lies_in_two_triangles_of_a_thousand_random_fields) {
  for (unsigned seed = 0; seed < 1000; ++seed)
    seed % 4 == 3 ? check_random_field<float>(seed) : check_random_field<double>(seed);
}

double sphere(double x, double y, double z) { return 0.7 - std::sqrt(x * x + y * y + z * z); }
double torus(double x, double y, double z) { return 0.25 - std::hypot(std::hypot(x, y) - 0.6, z); }
double two_spheres(double x, double y, double z) {
  return 0.3 - std::min(std::hypot(x - 0.5, y, z), std::hypot(x + 0.5, y, z));
}

TEST(surface_measures, euler_numbers) {
  auto const g = cube_grid(37);
  auto const of = [&](auto f) { return extracted(g, sample<double>(g, f), 0.0).measured; };
  EXPECT_EQ(of(sphere).euler(), 2);
  EXPECT_EQ(of(torus).euler(), 0);
  EXPECT_EQ(of(two_spheres).euler(), 4);
  EXPECT_TRUE(of(torus).closed());
  // A sheet across the grid: a disc.
  auto const sheet = of([](double x, double, double) { return x - 0.1; });
  EXPECT_EQ(sheet.euler(), 1);
  EXPECT_FALSE(sheet.closed());
  EXPECT_NEAR(sheet.area, 4, 1e-12);
}

/// The errors of volume and area on a grid of n points each way.
template <class Real>
std::array<double, 2> sphere_errors(std::int64_t n) {
  auto const g = cube_grid(n);
  auto const measured = extracted(g, sample<Real>(g, sphere), Real(0)).measured;
  double const pi = std::numbers::pi, r = 0.7;
  return {std::abs(measured.volume - 4 * pi * r * r * r / 3), std::abs(measured.area - 4 * pi * r * r)};
}

TEST(surface_measures, volume_and_area_are_of_second_order) {
  auto const coarse = sphere_errors<double>(25), fine = sphere_errors<double>(49), finest = sphere_errors<double>(97);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(coarse[k] / fine[k], 4, 0.4);
    EXPECT_NEAR(fine[k] / finest[k], 4, 0.4);
  }
  EXPECT_NEAR(sphere_errors<float>(49)[0], fine[0], 1e-5);
}

TEST(surface_measures, volume_is_negative_where_the_inside_is_around) {
  auto const g = cube_grid(33);
  auto const hole =
      extracted(g, sample<double>(g, [](double x, double y, double z) { return -sphere(x, y, z); }), 0.0).measured;
  EXPECT_NEAR(hole.volume, -1.43, 0.02);
}

TEST(surface_measures, tilted_steps) {
  auto g = unit_grid(41, 41, 41);
  g.step = {{{0.1, 0, 0}, {0.04, 0.1, 0}, {-0.02, 0.06, 0.1}}};
  auto const c = g.position(20, 20, 20);
  auto const ball = [&](double x, double y, double z) { return 0.8 - std::hypot(x - c[0], y - c[1], z - c[2]); };
  auto const m = extracted(g, sample<double>(g, ball), 0.0).measured;
  EXPECT_EQ(m.euler(), 2);
  EXPECT_NEAR(m.volume, 4 * std::numbers::pi * 0.512 / 3, 0.05);
}

TEST(surface_fields, nothing_crosses_where_all_is_on_one_side) {
  auto const g = unit_grid(3, 4, 70);
  std::vector<double> const values(static_cast<std::size_t>(g.size()), 1.0);
  for (double const iso : {0.0, 1.0, 2.0}) EXPECT_EQ(extracted(g, values, iso).triangles.size(), 0u) << iso;
}

TEST(surface_fields, differences_beyond_the_largest_number) {
  auto const g = unit_grid(2, 2, 2);
  double const most = std::numeric_limits<double>::max();
  auto const m = extracted(g, {most, -most, -most, -most, -most, -most, -most, -most}, most / 2);
  ASSERT_EQ(m.vertices.size(), 7u);
  for (auto const& x : m.vertices) EXPECT_EQ(std::max({x[0], x[1], x[2]}), 0.25);
}

TEST(surface_fields, one_layer_of_points_is_refused) {
  EXPECT_THROW(extracted(unit_grid(1, 4, 4), std::vector<double>(16), 0.0), upsweep::input_error);
}

}  // namespace
