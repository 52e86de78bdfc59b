// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../../apps/surface/density.hpp"
#include "../../../apps/surface/inputs.hpp"
#include "mesh_checks.hpp"
#include "oracle/message_of.hpp"
#include "oracle/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/io/npy.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <span>

namespace {

using namespace surface_test;
using box = upsweep::box<double>;

box const open_box({0, 0, 0}, {1, 1, 1}, {false, false, false});

std::vector<double> random_positions(std::size_t n, double length) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> draw(0, length);
  std::vector<double> positions(3 * n);
  for (double& x : positions) x = draw(random);
  return positions;
}

/// The density at a point, by all particles in the images up to `images` boxes away in periodic directions.
double density_at(Kokkos::Array<double, 3> const& x, std::vector<double> const& positions, box const& b, double radius,
                  int images) {
  double sum = 0;
  int most[3];
  for (int d = 0; d < 3; ++d) most[d] = b.periodic(d) ? images : 0;
  for (std::size_t i = 0; i < positions.size(); i += 3)
    for (int a = -most[0]; a <= most[0]; ++a)
      for (int c = -most[1]; c <= most[1]; ++c)
        for (int e = -most[2]; e <= most[2]; ++e) {
          double r2 = 0;
          for (int d = 0; d < 3; ++d) {
            double const away = positions[i + static_cast<std::size_t>(d)] + a * b.edge(0)[d] + c * b.edge(1)[d] +
                                e * b.edge(2)[d] - x[d];
            r2 += away * away;
          }
          double const w = 1 - r2 / (radius * radius);
          if (w > 0) sum += w * w * w;
        }
  return sum;
}

void compare(surface::field<double> const& f, std::vector<double> const& positions, box const& b, double radius,
             int images) {
  auto const values = upsweep::to_host(surface::space_type(), f.values);
  std::size_t n = 0;
  for (std::int64_t i = 0; i < f.grid.points[0]; ++i)
    for (std::int64_t j = 0; j < f.grid.points[1]; ++j)
      for (std::int64_t k = 0; k < f.grid.points[2]; ++k, ++n)
        ASSERT_NEAR(values[n],
                    density_at(f.grid.position(double(i), double(j), double(k)), positions, b, radius, images), 1e-11)
            << i << " " << j << " " << k;
}

TEST(surface_density, is_the_sum_over_images_in_periodic_boxes) {
  auto const positions = random_positions(40, 3);
  surface::space_type const space;
  auto const upright = box({0, 0, 0}, {3, 4, 2.5});
  auto const tilted = box::triclinic({0, 0, 0}, {3, 4, 2.5}, {.xy = 0.7, .xz = -0.4, .yz = 1});
  for (auto const& b : {upright, tilted}) {
    auto const f = surface::density(space, positions, b, 1.1, 0.45);
    EXPECT_EQ(f.grid.points[0], 8);  // 3 / 0.45 is nearest to 7 cells
    compare(f, positions, b, 1.1, 2);
  }
}

TEST(surface_density, reaches_over_many_images_of_a_short_box) {
  box const b({0, 0, 0}, {1, 1, 1});
  std::vector<double> const positions{0.2, 0.3, 0.4};
  compare(surface::density(surface::space_type(), positions, b, 1.7, 0.5), positions, b, 1.7, 3);
}

TEST(surface_density, without_a_box_ends_within_the_grid) {
  auto const positions = random_positions(30, 3);
  auto const f = surface::density(surface::space_type(), positions, open_box, 0.8, 0.3);
  compare(f, positions, open_box, 0.8, 0);
  surface::space_type const space;
  upsweep::workspace workspace(space);
  apps::phase_times times;
  EXPECT_TRUE(surface::measure(space, f, 0.1, surface::extract(space, workspace, f, 0.1, times)).closed());
}

TEST(surface_density, of_a_slab_repeats_in_two_directions) {
  auto const positions = random_positions(40, 3);
  box const slab({0, 0, 0}, {3, 4, 1}, {true, true, false});
  auto const f = surface::density(surface::space_type(), positions, slab, 1.1, 0.45);
  EXPECT_EQ(f.grid.points[0], 8);
  EXPECT_EQ(f.grid.origin[0], 0);
  EXPECT_LT(f.grid.origin[2], -1.1);
  EXPECT_GT(f.grid.position(0, 0, double(f.grid.points[2] - 1))[2], 3.5);  // particles lie up to nearly 3
  compare(f, positions, slab, 1.1, 2);
}

TEST(surface_density, one_particle_is_a_ball) {
  surface::space_type const space;
  auto const f = surface::density(space, {1, 2, 3}, open_box, 1.0, 0.02);
  upsweep::workspace workspace(space);
  apps::phase_times times;
  auto const m = surface::measure(space, f, 0.5, surface::extract(space, workspace, f, 0.5, times));
  double const r = std::sqrt(1 - std::cbrt(0.5));
  EXPECT_EQ(m.euler(), 2);
  EXPECT_NEAR(m.volume, 4 * std::numbers::pi * r * r * r / 3, 1e-3);
}

TEST(surface_density, grids_that_are_too_large_are_refused) {
  auto const said = oracle::message_of<upsweep::input_error>(
      [] { surface::density(surface::space_type(), {0, 0, 0, 1e300, 1, 1}, open_box, 1.0, 0.1); });
  EXPECT_NE(said.find("expected no more than 2^37"), std::string::npos) << said;
}

/// Reads an array of the given values.
template <class T>
surface::any_field read_back(std::vector<T> const& values, std::vector<std::uint64_t> const& shape) {
  oracle::temporary_folder const folder;
  surface::options o;
  o.field = (folder / "a.npy").string();
  o.origin = {5, 6, 7};
  o.spacing = {{0.5, 1, 2}};
  upsweep::write_npy(o.field, std::span(values), shape);
  return surface::read_field(surface::space_type(), o);
}

template <class Real, class T>
void check_type() {
  std::vector<T> const values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, std::numeric_limits<T>::max()};
  auto const any = read_back(values, {2, 3, 2});
  ASSERT_TRUE(std::holds_alternative<surface::field<Real>>(any));
  auto const& f = std::get<surface::field<Real>>(any);
  auto const read = upsweep::to_host(surface::space_type(), f.values);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(static_cast<T>(read[i]), values[i]);
  EXPECT_EQ(f.grid.points[1], 3);
  EXPECT_EQ(f.grid.position(1, 2, 1)[1], 8);
}

TEST(surface_input, values_of_each_type_are_exact) {
  check_type<float, float>();
  check_type<double, double>();
  check_type<float, std::uint8_t>();
  check_type<float, std::int8_t>();
  check_type<float, std::uint16_t>();
  check_type<float, std::int16_t>();
  check_type<double, std::uint32_t>();
  check_type<double, std::int32_t>();
}

TEST(surface_input, arrays_that_are_no_field_are_refused) {
  auto const refused = [](auto const& values, std::vector<std::uint64_t> const& shape) {
    return oracle::message_of<upsweep::input_error>([&] { read_back(values, shape); });
  };
  std::vector<double> const eight(8, 1.0);
  EXPECT_NE(refused(eight, {8}).find("shape (8) (expected three dimensions)"), std::string::npos);
  EXPECT_NE(refused(eight, {2, 4, 1}).find("expected two points or more"), std::string::npos);
  EXPECT_NE(refused(std::vector<std::int64_t>(8), {2, 2, 2}).find("an array of '<i8'"), std::string::npos);
}

TEST(surface_input, a_value_that_is_no_number_is_named) {
  for (double const bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<double> values(3 * 4 * 5, 1.0);
    values[(2 * 4 + 1) * 5 + 3] = bad;
    auto const f = to_field(unit_grid(3, 4, 5), values);
    EXPECT_EQ(oracle::message_of<upsweep::input_error>([&] { surface::range_of(surface::space_type(), f, "a.npy"); }),
              "a.npy: the value at [2, 1, 3] is no finite number");
  }
  auto const range = surface::range_of(surface::space_type(),
                                       to_field(unit_grid(2, 2, 2), std::vector<double>{3, 1, 4, 1, 5, 9, 2, 6}), "");
  EXPECT_EQ(range.least, 1);
  EXPECT_EQ(range.most, 9);
}

}  // namespace
