// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Points from NumPy files, and the box that they get.

#include "../../../apps/clusters/points.hpp"
#include "../../oracle/message_of.hpp"
#include "../../oracle/temporary_folder.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/io/npy.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace {

using clusters::options;

class input : public testing::Test {
 protected:
  template <class T>
  options of(std::vector<T> const& values, std::vector<std::uint64_t> const& shape) const {
    options o;
    o.input = (folder.path() / "points.npy").string();
    upsweep::write_npy(o.input, std::span(values), shape);
    return o;
  }
  clusters::point_set read(options const& o) const { return clusters::read_or_make_points(comm, space, o); }
  std::string message(options const& o) const {
    return oracle::message_of<upsweep::input_error>([&] { read(o); });
  }

  upsweep::mpi::communicator comm{MPI_COMM_SELF};  // each rank reads files of its own
  clusters::space_type space;
  oracle::temporary_folder folder;
};

TEST_F(input, floats_in_a_periodic_box) {
  auto o = of<float>({1, 2, 3, 4.5f, 5, 6}, {2, 3});
  o.box = {10, 20, 30};
  o.origin = {0, 1, 0};
  o.open[2] = true;
  auto const points = read(o);
  EXPECT_EQ(points.total, 2);
  EXPECT_EQ(upsweep::to_host(space, points.id), (std::vector<std::int64_t>{0, 1}));
  auto const x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), points.positions);
  EXPECT_EQ(x(1, 0), 4.5);
  EXPECT_EQ(points.box.lo(1), 1);
  EXPECT_EQ(points.box.hi(1), 21);
  EXPECT_TRUE(points.box.periodic(0));
  EXPECT_FALSE(points.box.periodic(2));
  o.spacings = 0.5;
  EXPECT_DOUBLE_EQ(clusters::linking_length(o, points), 0.5 * std::cbrt(3000.0));
  o.length = 2;
  EXPECT_EQ(clusters::linking_length(o, points), 2);
}

TEST_F(input, a_box_around_the_points) {
  auto const points = read(of<double>({-1, 7, 5, 3, 7, 6}, {2, 3}));
  for (int d = 0; d < 3; ++d) EXPECT_FALSE(points.box.periodic(d));
  EXPECT_LT(points.box.lo(0), -1);
  EXPECT_GT(points.box.hi(0), 3);
  // All points in one plane, and points far from the origin.
  EXPECT_GT(points.box.hi(1), points.box.lo(1));
  EXPECT_EQ(read(of<double>({1e300, 0, 0}, {1, 3})).total, 1);
}

TEST_F(input, a_box_that_leans) {
  auto o = of<double>({1, 2, 3, 4, 5, 6}, {2, 3});
  o.box = {10, 20, 30};
  o.tilt = {1, -2, 3};
  auto const box = read(o).box;
  EXPECT_EQ(box.tilt().xy, 1);
  EXPECT_EQ(box.tilt().yz, 3);
  EXPECT_TRUE(box.periodic(2));
}

TEST_F(input, extended_xyz_has_its_own_box_and_ids) {
  options o;
  o.input = (folder.path() / "points.extxyz").string();
  std::ofstream(o.input) << "2\nLattice=\"4 0 0 1 5 0 0 0 6\" Origin=\"-1 0 0\" Properties=id:I:1:pos:R:3\n"
                            "8 1 2 3\n5 0.5 0 0\n";
  auto const points = read(o);
  EXPECT_EQ(upsweep::to_host(space, points.id), (std::vector<std::int64_t>{5, 8}));
  EXPECT_EQ(points.box.lo(0), -1);
  EXPECT_EQ(points.box.hi(0), 3);
  EXPECT_EQ(points.box.tilt().xy, 1);
  EXPECT_TRUE(points.box.periodic(2));
  o.open[2] = true;
  EXPECT_FALSE(read(o).box.periodic(2));
  EXPECT_TRUE(read(o).box.periodic(0));
}

TEST_F(input, refusals) {
  EXPECT_NE(message(of<double>({1, 2, 3, 4}, {2, 2})).find("an array (2, 2) (expected (n, 3))"), std::string::npos);
  EXPECT_NE(message(of<double>({1, 2, 3}, {3})).find("an array (3) (expected (n, 3))"), std::string::npos);
  EXPECT_NE(message(of<std::int64_t>({1, 2, 3}, {1, 3})).find("an array of '<i8' (expected"), std::string::npos);
  EXPECT_NE(message(of<double>({}, {0, 3})).find("no points (expected at least one)"), std::string::npos);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(
      message(of<double>({1, 2, 3, 4, nan, 6}, {2, 3})).find("points.npy: the value at [1, 1] is no finite number"),
      std::string::npos);
}

}  // namespace
