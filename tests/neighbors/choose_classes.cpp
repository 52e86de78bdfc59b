// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Which size classes are chosen, and how far they look in each other's grids.

#include "chosen_classes.hpp"
#include "power_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace {

namespace detail = upsweep::neighbors::detail;

/// The largest number below x: of all in its bin it needs most room.
double just_below(double x) { return std::nextafter(x, 0.0); }

/// Radii of 0.5, 0.125 and 0.03125: `n` of the smallest, few of the others.
std::vector<double> three_sizes(std::size_t n) {
  std::vector<double> radii(n, just_below(0.03125));
  radii.insert(radii.end(), n / 50, just_below(0.125));
  radii.insert(radii.end(), n / 5000, just_below(0.5));
  return radii;
}

/// Checks that two particles that just touch find each other, one of them next to a border of a cell of its class.
template <class Real>
void check_reach(bool const (&periodic)[3], double const (&length)[3], unsigned seed) {
  upsweep::box<Real> const box({0, 0, 0}, {Real(length[0]), Real(length[1]), Real(length[2])},
                               {periodic[0], periodic[1], periodic[2]});
  auto const chosen = oracle::choose_classes<Real>(box, periodic, 1, three_sizes(50000));
  ASSERT_TRUE(chosen);
  auto const& classes = chosen->table;
  double const radius[] = {just_below(0.5), just_below(0.125), just_below(0.03125)};
  ASSERT_GT(classes.count, 1);
  std::mt19937_64 engine(seed);
  auto const real = [&](double hi) { return std::uniform_real_distribution<double>(0, hi)(engine); };
  auto const cell_of = [&](int k, double const(&x)[3]) {
    auto const& g = classes.grid[k];
    return g.index(g.coordinate(Real(x[0]), 0), g.coordinate(Real(x[1]), 1), g.coordinate(Real(x[2]), 2));
  };
  for (int test = 0; test < 3000; ++test) {
    double const first = radius[engine() % 3], second = radius[engine() % 3];
    int const a = classes.of_radius(first), b = classes.of_radius(second), d = int(engine() % 3);
    auto const &own = classes.grid[a], &other = classes.grid[b];
    double x[3] = {real(length[0]), real(length[1]), real(length[2])};
    double const border = double(engine() % static_cast<unsigned>(own.cells[d])) / own.cells[d] * length[d],
                 rounding = std::numeric_limits<Real>::epsilon() * length[d];
    x[d] = std::min(std::max(border + (double(engine() % 3) - 1) * rounding, 0.0), length[d] * (1 - rounding));
    double y[3] = {x[0], x[1], x[2]};
    y[d] += (engine() % 2 == 0 ? 1 : -1) * (first + second);
    int s[3] = {0, 0, 0};
    if (periodic[d]) s[d] = static_cast<int>(std::floor(y[d] / length[d]));
    else if (y[d] < 0 || y[d] >= length[d]) continue;
    y[d] -= s[d] * length[d];
    // Each cell holds one place, so that runs are of cells.
    std::vector<std::uint64_t> places(static_cast<std::size_t>(other.total()) + 1);
    std::iota(places.begin(), places.end(), std::uint64_t(0));
    int const from = classes.first_cell[a] + cell_of(a, x), to = cell_of(b, y);
    bool found = false;
    classes.runs(b, from, from).for_each(other, {places.data()}, [&](detail::candidate_run const& run) {
      found = found || (run.shift == upsweep::image(s[0], s[1], s[2]) && run.begin <= to && to < run.end);
    });
    ASSERT_TRUE(found) << "classes " << a << " and " << b << " in direction " << d << " from " << x[d] << " to " << y[d]
                       << ", image " << s[d];
  }
}

TEST(choose_classes, particles_that_touch_are_in_each_others_reach) {
  for (unsigned mask = 0; mask < 8; ++mask) {
    SCOPED_TRACE(testing::Message() << "periodic " << mask);
    bool const periodic[3] = {(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0};
    check_reach<double>(periodic, {6, 5.1, 4.3}, mask);
    check_reach<float>(periodic, {6, 5.1, 4.3}, mask);
    check_reach<double>(periodic, {40, 40, 0.3}, mask);
    check_reach<float>(periodic, {0.45, 30, 30}, mask);
  }
}

TEST(choose_classes, one_grid_serves_similar_radii) {
  std::mt19937_64 engine(3);
  upsweep::box<double> const box({0, 0, 0}, {20, 20, 20});
  bool const periodic[3] = {true, true, true};
  EXPECT_FALSE(oracle::choose_classes(box, periodic, 1.0, std::vector<double>(50000, 0.5)));
  std::vector<double> radii(50000);
  for (auto& r : radii) r = std::uniform_real_distribution<double>(0.4, 0.5)(engine);
  EXPECT_FALSE(oracle::choose_classes(box, periodic, 1.0, radii));
  EXPECT_FALSE(oracle::choose_classes(box, periodic, 1.0, {0.5, 0.001}));
  // One class, whose cells are narrower than those for the cutoff.
  auto const narrow = oracle::choose_classes(box, periodic, 4.0, radii);
  ASSERT_TRUE(narrow);
  EXPECT_EQ(narrow->table.count, 1);
  EXPECT_EQ(narrow->table.grid[0].cells[0], oracle::choose_classes(box, periodic, 8.0, radii)->table.grid[0].cells[0]);
}

TEST(choose_classes, every_radius_has_a_class) {
  std::mt19937_64 engine(4);
  upsweep::box<double> const box({0, 0, 0}, {90, 90, 1});
  bool const periodic[3] = {true, true, false};
  auto const radii = oracle::power_law_radii(10000, 0.1, 15, 2.1, engine);
  auto const chosen = oracle::choose_classes(box, periodic, 30.0, radii);
  ASSERT_TRUE(chosen);
  auto const& classes = chosen->table;
  EXPECT_GT(classes.count, 1);
  double largest[detail::size_classes<double>::most] = {};
  for (double r : radii) {
    int const k = classes.of_radius(r);
    ASSERT_LT(k, classes.count);
    largest[k] = std::max(largest[k], r);
  }
  for (int k = 0; k + 1 < classes.count; ++k) EXPECT_GT(largest[k], largest[k + 1]);
  for (int k = 0; k < classes.count; ++k) {
    EXPECT_EQ(classes.first_cell[k + 1] - classes.first_cell[k], classes.grid[k].total());
    EXPECT_EQ(classes.of_cell(classes.first_cell[k]), k);
    EXPECT_EQ(classes.of_cell(classes.first_cell[k + 1] - 1), k);
  }
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(classes.of_radius(inf), 0);
  for (double none : {0.0, -1.0, -inf, nan, 1e-300}) EXPECT_EQ(classes.of_radius(none), classes.count - 1);
}

}  // namespace
