// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../../apps/interpolate/inputs.hpp"
#include "../expect_refused.hpp"
#include "../mutate.hpp"
#include "oracle/message_of.hpp"
#include "oracle/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>
#include <upsweep/io/npy.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace {

using apps::expect_refused;

using words = std::vector<std::string>;

interpolate::command_line with(words const& more) {
  words all{"--input", "p.npy", "--values", "v.npy", "--radius", "2", "--output", "o.npy"};
  all.insert(all.end(), more.begin(), more.end());
  return interpolate::parse(all);
}

TEST(interpolate_options, are_read) {
  auto const o =
      with({"--grid", "4,5", "--from", "-1,0", "--to", "1,2", "--method", "quadratic", "--box", "3,4"}).values;
  EXPECT_EQ(o.grid, (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(o.from, (std::vector<double>{-1, 0}));
  EXPECT_EQ(o.box, (std::array<double, 3>{3, 4, 0}));
  auto const leaning = with({"--targets", "t.npy", "--box", "3,4,5,0,1,-1", "--open", "x"}).values;
  EXPECT_EQ(leaning.box, (std::array<double, 3>{3, 4, 5}));
  EXPECT_EQ(leaning.tilt, (std::array<double, 3>{0, 1, -1}));
  EXPECT_EQ(leaning.open, (std::array<bool, 3>{true, false, false}));
  EXPECT_EQ(o.wanted, interpolate::method::quadratic);
  EXPECT_EQ(with({"--targets", "t.npy"}).values.wanted, interpolate::method::linear);
}

TEST(interpolate_options, mistakes_are_named) {
  expect_refused(with({}), "--targets (none): expected either --targets FILE or --grid A,B,C");
  expect_refused(with({"--targets", "t", "--grid", "2,2"}), "excludes");
  expect_refused(with({"--targets", "t", "--from", "0,0"}), "requires --grid");
  expect_refused(interpolate::parse({"--input", "p"}),
                 "--values (none): expected --values FILE, --radius NUMBER, --output FILE (see --help)");
  expect_refused(interpolate::parse({"--imput", "p"}),
                 "--imput: expected an option of upsweep-interpolate (see --help)");
  expect_refused(interpolate::parse({"--points", "p"}), "--points p: expected --input, the name of this option");
  for (auto const* word : {"4", "4,4,4,4", "0,4", "4,x", "4,,4", "1000001,1"})
    expect_refused(with({"--grid", word}), std::string("--grid ") + word + ": expected 2 to 3 numbers");
  expect_refused(with({"--targets", "t", "--method", "cubic"}),
                 "--method cubic: expected shepard, linear or quadratic");
  for (auto const* word : {"1,0", "1,1,1,1", "1", "1,1,nan"})
    expect_refused(with({"--targets", "t", "--box", word}), std::string("--box ") + word);
  expect_refused(with({"--targets", "t", "--open", "x"}), "--open x: expected --box, too");
  expect_refused(with({"--targets", "t", "--box", "1,1", "--origin", "1,1,1"}), "--origin 1,1,1: expected 2 numbers");
  expect_refused(with({"--targets", "t", "--origin", "1,1"}), "--origin 1,1: expected --box, too");
  expect_refused(with({"--targets", "t", "--atom-style", "full"}), "--atom-style full: expected no style");
  expect_refused(interpolate::parse({"--input", "p.data", "--values", "v", "--radius", "1", "--output", "o",
                                     "--targets", "t", "--box", "1,1,1"}),
                 "--input p.data: expected a NumPy file (.npy), since --box is for these");
  expect_refused(with({"--targets", "t", "--radius", "0"}), "--radius");
}

TEST(interpolate_options, hostile_lines_are_read_or_refused) {
  words const options{"--input",  "--values", "--targets", "--grid",   "--from",  "--to",   "--box",
                      "--method", "--radius", "--output",  "--report", "--force", "--open", "--help"};
  mutate::expect_read_or_refused(options, 2000, interpolate::parse);
}

/// Reads points and values, and targets where there are some.
class files {
 public:
  files() { options.radius = 0.5; }
  template <class T>
  files& points(std::vector<T> const& values, std::vector<std::uint64_t> const& shape) {
    return put(options.input, "p.npy", values, shape);
  }
  files& values(std::vector<double> const& v, std::vector<std::uint64_t> const& shape) {
    return put(options.values, "v.npy", v, shape);
  }
  files& targets(std::vector<double> const& v, std::vector<std::uint64_t> const& shape) {
    return put(options.targets, "t.npy", v, shape);
  }
  interpolate::problem read() const { return interpolate::read_problem(options); }
  std::string refused() const {
    return oracle::message_of<upsweep::input_error>([&] { read(); });
  }
  interpolate::options options;

 private:
  template <class T>
  files& put(std::string& name, std::string const& file, std::vector<T> const& v,
             std::vector<std::uint64_t> const& shape) {
    name = (folder_ / file).string();
    upsweep::write_npy(name, std::span(v), shape);
    return *this;
  }
  oracle::temporary_folder folder_;
};

TEST(interpolate_input, two_dimensions_and_a_grid) {
  files f;
  f.points(std::vector<float>{0, 0, 2, 4}, {2, 2}).values({1, 2, 3, 4, 5, 6}, {2, 3});
  f.options.grid = {3, 2};
  auto const p = f.read();
  EXPECT_EQ(p.dimensions, 2);
  EXPECT_EQ(p.points, (std::vector<double>{0, 0, 0, 2, 4, 0}));
  EXPECT_EQ(p.fields, 3u);
  EXPECT_EQ(p.shape, (std::vector<std::uint64_t>{3, 2, 3}));
  EXPECT_EQ(p.targets, (std::vector<double>{0, 0, 0, 0, 4, 0, 1, 0, 0, 1, 4, 0, 2, 0, 0, 2, 4, 0}));
  EXPECT_EQ(p.domain.lo(0), -0.5);
  EXPECT_EQ(p.domain.hi(1), 4.5);
  f.options.box = {5, 6, 0};
  EXPECT_TRUE(f.read().domain.periodic(1));
  EXPECT_FALSE(f.read().domain.periodic(2));
  EXPECT_EQ(f.read().targets.back(), 0);
  EXPECT_EQ(f.read().targets[15], 5);
  f.options.open[0] = true;
  EXPECT_EQ(f.read().domain.lo(0), -0.5);
  EXPECT_EQ(f.read().domain.hi(1), 6);
  f.options.origin = {-1, -2, 0};
  EXPECT_EQ(f.read().domain.lo(1), -2);
  EXPECT_EQ(f.read().domain.hi(1), 4);
}

TEST(interpolate_input, a_file_has_its_box) {
  files f;
  f.values({1, 2}, {2});
  oracle::temporary_folder const folder;
  f.options.input = (folder / "p.extxyz").string();
  std::ofstream(f.options.input) << "2\nLattice=\"4 0 0 0 5 0 0 0 6\" Origin=\"-1 0 0\" Properties=pos:R:3:id:I:1\n"
                                    "1 2 3 9\n0.5 0 0 4\n";
  f.options.grid = {2, 2, 2};
  auto const p = f.read();
  EXPECT_EQ(p.points, (std::vector<double>{0.5, 0, 0, 1, 2, 3}));  // in order of ids, as values are
  EXPECT_EQ(p.targets[0], -1);
  EXPECT_EQ(p.targets.back(), 6);
  EXPECT_TRUE(p.domain.periodic(0));
  f.options.open[2] = true;
  EXPECT_FALSE(f.read().domain.periodic(2));
  EXPECT_EQ(f.read().domain.hi(2), 3.5);
  EXPECT_EQ(f.read().domain.hi(0), 3);
}

TEST(interpolate_input, what_does_not_fit_is_refused) {
  files f;
  auto const has = [&](std::string const& part) {
    auto const said = f.refused();
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  f.options.grid = {2, 2, 2};
  std::vector<double> const six{0, 0, 0, 1, 1, 1};
  f.points(six, {6}).values({1, 2}, {2});
  has("p.npy: an array of shape (6) (expected (n, 2) or (n, 3))");
  f.points(six, {2, 3}).values({1, 2, 3}, {3});
  has("v.npy: an array of shape (3) (expected (2) or (2, fields), as there are points)");
  f.values({}, {2, 0});
  has("v.npy: an array of shape (2, 0)");
  f.values({1, std::numeric_limits<double>::infinity()}, {2});
  has("v.npy: the value at [1] is no finite number");
  f.values({1, 2}, {2}).points(std::vector<double>{0, 0, 0, 1, std::nan(""), 1}, {2, 3});
  has("p.npy: the value at [1, 1] is no finite number");
  f.points(std::vector<double>{}, {0, 3}).values({}, {0});
  has("p.npy: no points");
  f.points(std::vector<std::int64_t>{0, 0, 0}, {1, 3}).values({1}, {1});
  has("p.npy: an array of '<i8'");
  f.points(six, {2, 3}).values({1, 2}, {2});
  f.options.grid = {2, 2};
  has("--grid: 2 numbers (expected 3, as the points have coordinates)");
  f.options.grid = {1000000, 1000000, 1000000};
  EXPECT_THROW(f.read(), upsweep::out_of_memory_error);
  f.options.grid.clear();
  f.targets({0, 0}, {1, 2});
  has("t.npy: an array of shape (1, 2) (expected (n, 3))");
  f.options.targets = f.options.input;
  f.options.box = {1, 1, 0};
  has("--box: 2 lengths (expected 3");
  f.points(std::vector<double>{0, 0, 1, 1}, {2, 2});
  f.options.open[2] = true;
  has("--open: z (expected x or y");
}

}  // namespace
