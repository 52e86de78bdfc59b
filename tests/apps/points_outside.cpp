// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/support/points/points_outside.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using box = upsweep::box<double>;

std::string said(std::vector<double> const& positions, box const& b) {
  apps::points_options o;
  o.input = "p.npy";
  o.box = {10, 10, 10};
  return apps::points_outside(o, positions, b);
}

TEST(points_outside, are_counted_once_and_their_axes_are_named) {
  box const b({0, 0, 0}, {10, 10, 10});
  EXPECT_EQ(said({0, 0, 0, 9.99, 5, 5}, b), "");
  EXPECT_EQ(said({1, 1, -0.5, 2, 2, 2}, b), "1 of 2 points of p.npy is outside of --box along z, and wrapped into it");
  EXPECT_EQ(said({10, 1, 1, 2, 2, 2, -3, 2, 40}, b),
            "2 of 3 points of p.npy are outside of --box along x and z, and wrapped into it");
  EXPECT_EQ(said({11, 11, 11, 2, 2, 2}, b),
            "1 of 2 points of p.npy is outside of --box along x, y and z, and wrapped into it");
}

TEST(points_outside, leave_open_directions_and_boxes_of_files_alone) {
  EXPECT_EQ(said({1, 1, -5, 1, 1, 50}, box({0, 0, 0}, {10, 10, 10}, {true, true, false})), "");
  EXPECT_EQ(apps::points_outside({}, {-1, -1, -1}, box({0, 0, 0}, {10, 10, 10})), "");
}

TEST(points_outside, are_those_beyond_the_faces_of_a_box_that_leans) {
  auto const b = box::triclinic({0, 0, 0}, {10, 10, 10}, {.xy = 5});
  EXPECT_EQ(said({13, 8, 1}, b), "");
  EXPECT_EQ(said({1, 8, 1}, b), "1 of 1 points of p.npy is outside of --box along x, and wrapped into it");
}

}  // namespace
