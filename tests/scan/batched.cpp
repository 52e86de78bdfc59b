// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../contracts/ran_engine.hpp"
#include "../oracle/engines.hpp"
#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"

#include <upsweep/scan/batched_scan.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

struct shape {
  std::size_t rows, length;
};

// None, one, few long, many short, and both around a tile and around the choice between the kernels.
std::vector<shape> shapes() {
  return {{0, 5},    {5, 0},    {1, 1},     {1, 100003}, {3, 70001}, {7, 1},
          {1000, 3}, {63, 600}, {70, 4097}, {1023, 31},  {1025, 33}, {20000, 5}};
}

template <class Layout, class T>
Kokkos::View<T**, Layout, oracle::memory> matrix_of(shape const& s, std::vector<T> const& values) {
  Kokkos::View<T**, Layout, oracle::memory> const device("matrix", s.rows, s.length);
  oracle::host_copy const host(device);
  for (std::size_t r = 0; r < s.rows; ++r)
    for (std::size_t c = 0; c < s.length; ++c) host(r, c) = values[r * s.length + c];
  host.write();
  return device;
}

template <class V>
auto rows_of(V const& device) {
  oracle::host_copy const host(device);
  std::vector<typename V::non_const_value_type> rows;
  for (std::size_t r = 0; r < device.extent(0); ++r)
    for (std::size_t c = 0; c < device.extent(1); ++c) rows.push_back(host(r, c));
  return rows;
}

std::vector<oracle::matrix> expected_rows(shape const& s, std::vector<int> const& values, bool inclusive) {
  oracle::matrix_product const op;
  std::vector<oracle::matrix> out(values.size());
  for (std::size_t r = 0; r < s.rows; ++r) {
    auto running = op.identity();
    for (std::size_t i = r * s.length; i < (r + 1) * s.length; ++i) {
      auto const next = op(running, op.lift(values[i]));
      out[i] = inclusive ? next : running;
      running = next;
    }
  }
  return out;
}

template <class InLayout, class OutLayout, class Engine = upsweep::engine::automatic>
void check_matrices() {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (auto const& s : shapes()) {
    auto const values = oracle::random_values<int>(s.rows * s.length, 0, 1000);
    auto const in = matrix_of<InLayout>(s, values);
    Kokkos::View<oracle::matrix**, OutLayout, oracle::memory> const out("out", s.rows, s.length);
    upsweep::basic_scan_options<Engine> const options{.workspace = s.rows % 2 == 0 ? &ws : nullptr};
    upsweep::batched_inclusive_scan(space, in, out, oracle::matrix_product{}, options);
    space.fence();
    ASSERT_EQ(rows_of(out), expected_rows(s, values, true))
        << s.rows << " x " << s.length << " engine " << oracle::name_of<Engine>();
    contracts::recorder const seen;
    upsweep::batched_exclusive_scan(space, in, out, oracle::matrix_product{}, options);
    space.fence();
    if (s.rows * s.length > 100000 && !std::is_same_v<Engine, upsweep::engine::automatic>) {
      EXPECT_TRUE(contracts::has_run(oracle::name_of<Engine>())) << oracle::name_of<Engine>();
    }
    ASSERT_EQ(rows_of(out), expected_rows(s, values, false))
        << s.rows << " x " << s.length << " engine " << oracle::name_of<Engine>();
  }
}

TEST(batched_scan, matrices_row_major) { check_matrices<Kokkos::LayoutRight, Kokkos::LayoutRight>(); }
TEST(batched_scan, matrices_column_major) { check_matrices<Kokkos::LayoutLeft, Kokkos::LayoutLeft>(); }
TEST(batched_scan, matrices_from_one_layout_to_the_other) { check_matrices<Kokkos::LayoutLeft, Kokkos::LayoutRight>(); }
// All rows as segments of one scan.
TEST(batched_scan, matrices_on_engines) {
  oracle::for_production_engines(
      []<class Engine>() { check_matrices<Kokkos::LayoutRight, Kokkos::LayoutLeft, Engine>(); });
}

TEST(batched_scan, strided_in_place_leaves_the_rest_alone) {
  oracle::space const space;
  for (shape const s : {shape{40, 300}, shape{2000, 20}}) {
    auto const values = oracle::random_values<int>(s.rows * s.length, 0, 9);
    auto const all = matrix_of<Kokkos::LayoutLeft>(s, values);
    auto const part =
        Kokkos::subview(all, std::make_pair(std::size_t(1), s.rows - 1), std::make_pair(std::size_t(2), s.length - 3));
    Kokkos::View<int const**, Kokkos::LayoutStride, oracle::memory> const in = part;
    Kokkos::View<int**, Kokkos::LayoutStride, oracle::memory> const out = part;
    upsweep::batched_inclusive_scan(space, in, out);
    auto expected = values;
    for (std::size_t r = 1; r < s.rows - 1; ++r)
      for (std::size_t c = 3; c < s.length - 3; ++c) expected[r * s.length + c] += expected[r * s.length + c - 1];
    EXPECT_EQ(rows_of(all), expected);
  }
}

// Rows side by side in memory: an exclusive scan in place may not read the column before again.
TEST(batched_scan, column_major_in_place) {
  oracle::space const space;
  for (shape const s : {shape{64, 1}, shape{64, 2}, shape{1023, 31}, shape{20000, 5}, shape{9001, 3}})
    for (bool inclusive : {false, true}) {
      auto const values = oracle::random_values<double>(s.rows * s.length, 0, 9);
      auto const all = matrix_of<Kokkos::LayoutLeft>(s, values);
      if (inclusive) upsweep::batched_inclusive_scan(space, all, all);
      else upsweep::batched_exclusive_scan(space, all, all);
      auto expected = values;
      for (std::size_t r = 0; r < s.rows; ++r) {
        double sum = 0;
        for (std::size_t i = r * s.length; i < (r + 1) * s.length; ++i) {
          double const before = sum;
          sum += values[i];
          expected[i] = inclusive ? sum : before;
        }
      }
      EXPECT_EQ(rows_of(all), expected) << s.rows << " x " << s.length << " inclusive " << inclusive;
    }
}

TEST(batched_scan, wrong_arguments_name_the_values) {
  oracle::space const space;
  Kokkos::View<int**, Kokkos::LayoutRight, oracle::memory> const a("a", 4, 4), b("b", 4, 5);
  Kokkos::View<int**, Kokkos::LayoutLeft, oracle::memory> const transposed(a.data(), 4, 4);
  try {
    upsweep::batched_inclusive_scan(space, a, b);
    FAIL() << "extents differ, nothing thrown";
  } catch (upsweep::precondition_error const& e) {
    EXPECT_EQ(std::string(e.what()), "batched_inclusive_scan: input has 4 x 4 elements, output has 4 x 5");
  }
  EXPECT_THROW(upsweep::batched_exclusive_scan(space, a, transposed), upsweep::precondition_error);
  EXPECT_NO_THROW(upsweep::batched_exclusive_scan(space, a, a));
}

TEST(row_heads, bits_are_the_beginnings_of_rows) {
  for (std::size_t length : {1u, 2u, 13u, 32u, 1000u}) {
    upsweep::scan::detail::row_heads const heads{upsweep::scan::detail::row_finder(length)};
    for (std::size_t first = 0; first < 3000; ++first)
      for (int count : {1, 4, 14, 31}) {
        std::uint32_t expected = 0;
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
          if ((first + k) % length == 0) expected |= 1u << k;
        ASSERT_EQ(heads.bits(first, count), expected) << count << " from " << first << " of rows of " << length;
      }
  }
}

}  // namespace
