// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/start/npy_start.hpp"
#include "../io_mpi/shared_folder.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>
#include <upsweep/io/npy.hpp>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace {

using shape = std::vector<std::uint64_t>;

/// Files of three particles, on each rank its own.
struct three_particles {
  upsweep::mpi::communicator comm{MPI_COMM_SELF};
  upsweep_test::shared_folder folder{comm};
  nbody::options options;

  three_particles() {
    options.box = {10, 20, 30};
    options.tilt = {1, 2, 3};
    options.origin = {-1, 0, 1};
    options.input = save("p", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 3});
  }

  template <class T>
  std::string save(std::string const& name, std::vector<T> const& values, shape const& extents) const {
    auto const path = folder / (name + ".npy");
    upsweep::write_npy(path, std::span(values), extents);
    return path.string();
  }

  /// The message of a start that is refused, without the folder's name; empty where it is taken.
  std::string refusal() const {
    try {
      nbody::read_npy_start(options);
      return {};
    } catch (upsweep::input_error const& e) {
      std::string text = e.what();
      auto const prefix = folder.path().string() + "/";
      for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) text.erase(at, prefix.size());
      return text;
    }
  }
  /// The same with a file of this name in one of the options.
  template <class Option, class T>
  std::string refusal_of(Option& option, std::string const& name, std::vector<T> const& values, shape const& extents) {
    option = save(name, values, extents);
    return refusal();
  }
};

TEST(npy_start, positions_alone) {
  three_particles const t;
  auto const data = nbody::read_npy_start(t.options);
  EXPECT_EQ(data.positions, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_TRUE(data.velocities.empty());
  EXPECT_EQ(data.types, (std::vector<std::int32_t>{1, 1, 1}));
  EXPECT_EQ(data.ids, (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_TRUE(data.masses.empty() && data.particle_masses.empty());
  EXPECT_EQ(data.lo, (std::array<double, 3>{-1, 0, 1}));
  EXPECT_EQ(data.hi, (std::array<double, 3>{9, 20, 31}));
  EXPECT_EQ(data.tilt, (std::array<double, 3>{1, 2, 3}));
}

TEST(npy_start, everything_is_in_order_of_ids) {
  three_particles t;
  t.options.velocities = t.save("v", std::vector<float>{1, 1, 1, 2, 2, 2, 3, 3, 3}, {3, 3});
  t.options.masses = t.save("m", std::vector<double>{0.5, 4, 1e300}, {3});
  t.options.types = t.save("t", std::vector<std::uint8_t>{7, 8, 255}, {3});
  t.options.ids = t.save("i", std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max(), -4, 12}, {3});
  auto const data = nbody::read_npy_start(t.options);
  EXPECT_EQ(data.ids, (std::vector<std::int64_t>{-4, 12, std::numeric_limits<std::int64_t>::max()}));
  EXPECT_EQ(data.positions, (std::vector<double>{4, 5, 6, 7, 8, 9, 1, 2, 3}));
  EXPECT_EQ(data.velocities, (std::vector<double>{2, 2, 2, 3, 3, 3, 1, 1, 1}));
  EXPECT_EQ(data.particle_masses, (std::vector<double>{4, 1e300, 0.5}));
  EXPECT_EQ(data.types, (std::vector<std::int32_t>{8, 255, 7}));
}

template <class T>
void expect_ids_read() {
  three_particles t;
  t.options.ids = t.save("i", std::vector<T>{3, 1, 2}, {3});
  EXPECT_EQ(nbody::read_npy_start(t.options).positions, (std::vector<double>{4, 5, 6, 7, 8, 9, 1, 2, 3}));
}

TEST(npy_start, integers_of_all_sizes) {
  expect_ids_read<std::int8_t>();
  expect_ids_read<std::int16_t>();
  expect_ids_read<std::int32_t>();
  expect_ids_read<std::int64_t>();
  expect_ids_read<std::uint8_t>();
  expect_ids_read<std::uint16_t>();
  expect_ids_read<std::uint32_t>();
  expect_ids_read<std::uint64_t>();
}

TEST(npy_start, wrong_positions_are_refused) {
  three_particles t;
  std::vector<double> const nine(9);
  auto const message = [&](auto const& values, shape const& extents) {
    return t.refusal_of(t.options.input, "p", values, extents);
  };
  EXPECT_EQ(message(nine, {9}), "p.npy: an array (9) (expected (n, 3))");
  EXPECT_EQ(message(nine, {3, 1, 3}), "p.npy: an array (3, 1, 3) (expected (n, 3))");
  EXPECT_EQ(message(std::vector<double>(8), {4, 2}), "p.npy: an array (4, 2) (expected (n, 3))");
  EXPECT_EQ(message(std::vector<double>{}, {0, 3}), "p.npy: no particles (expected at least one)");
  EXPECT_EQ(message(std::vector<std::int32_t>(9), {3, 3}), "p.npy: an array of '<i4' (expected '<f4' or '<f8')");
  EXPECT_EQ(message(std::vector<float>{1, 2, 3, 4, INFINITY, 6}, {2, 3}),
            "p.npy: the value at [1, 1] is no finite number");
  EXPECT_EQ(message(std::vector<double>{1, 2, NAN}, {1, 3}), "p.npy: the value at [0, 2] is no finite number");
  t.options.input = (t.folder / "none.npy").string();
  EXPECT_NE(t.refusal().find("none.npy: No such file"), std::string::npos);
  t.options.input = t.folder.path().string();
  EXPECT_NE(t.refusal(), "");
  t.options.input = (t.folder / "text.npy").string();
  std::ofstream(t.options.input) << "1 2 3\n4 5 6\n";
  EXPECT_NE(t.refusal().find("text.npy: no .npy file"), std::string::npos);
}

TEST(npy_start, wrong_velocities_are_refused) {
  three_particles t;
  auto const message = [&](auto const& values, shape const& extents) {
    return t.refusal_of(t.options.velocities, "v", values, extents);
  };
  EXPECT_EQ(message(std::vector<double>(6), {2, 3}), "v.npy: 2 rows (expected 3, as many as p.npy has)");
  EXPECT_EQ(message(std::vector<double>{}, {0, 3}), "v.npy: 0 rows (expected 3, as many as p.npy has)");
  EXPECT_EQ(message(std::vector<double>(9), {9}), "v.npy: an array (9) (expected (n, 3))");
  EXPECT_EQ(message(std::vector<double>{0, 0, 0, 0, 0, -INFINITY, 0, 0, 0}, {3, 3}),
            "v.npy: the value at [1, 2] is no finite number");
}

TEST(npy_start, wrong_masses_are_refused) {
  three_particles t;
  auto const message = [&](auto const& values, shape const& extents) {
    return t.refusal_of(t.options.masses, "m", values, extents);
  };
  EXPECT_EQ(message(std::vector<double>(3, 1), {3}), "");
  EXPECT_EQ(message(std::vector<double>(3, 1), {3, 1}), "m.npy: an array (3, 1) (expected (n,))");
  EXPECT_EQ(message(std::vector<double>(2, 1), {2}), "m.npy: 2 rows (expected 3, as many as p.npy has)");
  EXPECT_EQ(message(std::vector<double>{1, 0, 1}, {3}), "m.npy: the value at [1] is 0 (expected a mass above 0)");
  EXPECT_EQ(message(std::vector<float>{1, 1, -0.5f}, {3}), "m.npy: the value at [2] is -0.5 (expected a mass above 0)");
  EXPECT_EQ(message(std::vector<double>{1, NAN, 1}, {3}), "m.npy: the value at [1] is no finite number");
  EXPECT_EQ(message(std::vector<double>{INFINITY, 1, 1}, {3}), "m.npy: the value at [0] is no finite number");
  EXPECT_EQ(message(std::vector<std::int32_t>(3, 1), {3}), "m.npy: an array of '<i4' (expected '<f4' or '<f8')");
}

TEST(npy_start, wrong_types_are_refused) {
  three_particles t;
  auto const message = [&](auto const& values, shape const& extents) {
    return t.refusal_of(t.options.types, "t", values, extents);
  };
  EXPECT_EQ(message(std::vector<std::int64_t>(3, 1), {3, 1}), "t.npy: an array (3, 1) (expected (n,))");
  EXPECT_EQ(message(std::vector<std::int64_t>{1}, {}), "t.npy: an array () (expected (n,))");
  EXPECT_EQ(message(std::vector<std::int64_t>(4, 1), {4}), "t.npy: 4 rows (expected 3, as many as p.npy has)");
  EXPECT_EQ(message(std::vector<std::int64_t>{1, 0, 1}, {3}),
            "t.npy: the value at [1] is 0 (expected a type from 1 to 2147483647)");
  EXPECT_EQ(message(std::vector<std::int64_t>{1, 1, 2147483648}, {3}),
            "t.npy: the value at [2] is 2147483648 (expected a type from 1 to 2147483647)");
  EXPECT_EQ(message(std::vector<std::int8_t>{-1, 1, 1}, {3}),
            "t.npy: the value at [0] is -1 (expected a type from 1 to 2147483647)");
  EXPECT_EQ(message(std::vector<double>(3, 1), {3}), "t.npy: an array of '<f8' (expected integers)");
}

TEST(npy_start, wrong_ids_are_refused) {
  three_particles t;
  auto const message = [&](auto const& values, shape const& extents) {
    return t.refusal_of(t.options.ids, "i", values, extents);
  };
  EXPECT_EQ(message(std::vector<std::int64_t>{5, 2, 5}, {3}), "i.npy: id 5 twice (expected each once)");
  EXPECT_EQ(message(std::vector<std::int64_t>{2, 2, 5}, {3}), "i.npy: id 2 twice (expected each once)");
  EXPECT_EQ(message(std::vector<std::int64_t>{1, 2}, {2}), "i.npy: 2 rows (expected 3, as many as p.npy has)");
  EXPECT_EQ(message(std::vector<std::uint64_t>{1, std::uint64_t(1) << 63, 2}, {3}),
            "i.npy: the value of number 1 is 9223372036854775808 (expected less than 2^63)");
}

}  // namespace
