// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/views.hpp"

#include <upsweep/pack/equalize.hpp>
#include <upsweep/pack/histogram.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

std::vector<int> equalized(std::vector<std::int64_t> const& offsets, std::uint32_t largest) {
  Kokkos::View<int*, oracle::memory> const levels("levels", offsets.size() - 1);
  upsweep::equalize(oracle::space{}, oracle::to_device(offsets), levels, largest);
  return oracle::to_host(levels);
}

/// The formula of the books, in extended precision.
std::vector<int> by_formula(std::vector<std::int64_t> const& offsets, std::uint32_t largest) {
  std::int64_t const n = offsets.back();
  auto const first = std::find_if(offsets.begin(), offsets.end(), [](std::int64_t o) { return o != 0; });
  std::int64_t const least = first == offsets.end() ? 0 : *first;
  std::vector<int> levels;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    std::int64_t const above = std::max<std::int64_t>(0, offsets[b + 1] - least);
    levels.push_back(n == least ? 0 : int(std::floor((long double)(above)*largest / (long double)(n - least) + 0.5L)));
  }
  return levels;
}

TEST(equalize, an_image_worked_by_hand) {
  // 64 pixels of 8 bits: how many there are of each value, and what each becomes.
  std::vector<std::pair<int, int>> const values{
      {52, 1},  {55, 3},  {58, 2},  {59, 3},  {60, 1},  {61, 4},  {62, 1}, {63, 2}, {64, 2}, {65, 3},
      {66, 2},  {67, 1},  {68, 5},  {69, 3},  {70, 4},  {71, 2},  {72, 1}, {73, 2}, {75, 1}, {76, 1},
      {77, 1},  {78, 1},  {79, 2},  {83, 1},  {85, 2},  {87, 1},  {88, 1}, {90, 1}, {94, 1}, {104, 2},
      {106, 1}, {109, 1}, {113, 1}, {122, 1}, {126, 1}, {144, 1}, {154, 1}};
  std::vector<int> const becomes{0,   12,  20,  32,  36,  53,  57,  65,  73,  85,  93,  97,  117,
                                 130, 146, 154, 158, 166, 170, 174, 178, 182, 190, 194, 202, 206,
                                 210, 215, 219, 227, 231, 235, 239, 243, 247, 251, 255};
  std::vector<std::uint8_t> image;
  for (auto [value, count] : values) image.insert(image.end(), std::size_t(count), std::uint8_t(value));
  ASSERT_EQ(image.size(), 64u);
  std::reverse(image.begin(), image.end());
  oracle::space const space;
  Kokkos::View<std::uint32_t*, oracle::memory> const counts("counts", 256), offsets("offsets", 257);
  Kokkos::View<std::uint8_t*, oracle::memory> const levels("levels", 256);
  upsweep::workspace ws(space);
  upsweep::histogram(space, oracle::to_device(image), counts, offsets, {.workspace = &ws});
  upsweep::equalize(space, offsets, levels, 255, {.workspace = &ws});
  auto const found = oracle::to_host(levels);
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_EQ(found[std::size_t(values[k].first)], becomes[k]) << values[k].first;
  for (int b = 0; b < 52; ++b) EXPECT_EQ(found[std::size_t(b)], 0);
  EXPECT_EQ(found[255], 255);
}

TEST(equalize, is_the_formula) {
  for (std::size_t bins : {1u, 2u, 255u, 256u, 5000u})
    for (int most : {0, 1, 9, 100000})
      for (std::uint32_t largest : {0u, 1u, 255u, 65535u}) {
        auto const counts = oracle::random_values<int>(bins, most > 9 ? 0 : most - 1, most, unsigned(bins) + largest);
        std::vector<std::int64_t> offsets{0};
        for (int c : counts) offsets.push_back(offsets.back() + std::max(0, c));
        ASSERT_EQ(equalized(offsets, largest), by_formula(offsets, largest)) << bins << ' ' << most << ' ' << largest;
      }
}

TEST(equalize, no_elements_one_value_halves_and_huge_counts) {
  EXPECT_EQ(equalized({0}, 255), (std::vector<int>{}));
  EXPECT_EQ(equalized({0, 0, 0}, 255), (std::vector<int>{0, 0}));
  EXPECT_EQ(equalized({0, 0, 7, 7}, 255), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(equalized({0, 1, 4, 4, 5}, 255), (std::vector<int>{0, 191, 191, 255}));
  EXPECT_EQ(equalized({0, 1, 2, 3}, 1), (std::vector<int>{0, 1, 1}));  // a half, upwards
  // Products beyond 64 bits.
  std::int64_t const q = std::int64_t(1) << 60;
  EXPECT_EQ(equalized({0, 1, 2 * q, 6 * q, 7 * q + (q - 1)}, 2000000000),
            (std::vector<int>{0, 500000000, 1500000000, 2000000000}));
}

TEST(equalize, divides_exactly_on_both_sides_of_what_a_double_holds) {
  // Halves, and what is just below them, where the largest count times the largest level is about 2^51.
  std::uint32_t const largest = 1 << 16;
  for (std::int64_t whole : {(std::int64_t(1) << 35) - 1, std::int64_t(1) << 35, (std::int64_t(1) << 35) + 2}) {
    std::vector<std::int64_t> offsets{0, 1};
    for (std::int64_t level : {1, 2, 4711, 65534, 65535}) {
      std::int64_t const half = (2 * level + 1) * whole / (2 * std::int64_t(largest));
      for (std::int64_t above : {half - 1, half, half + 1}) offsets.push_back(1 + above);
    }
    offsets.push_back(1 + whole);
    std::sort(offsets.begin(), offsets.end());
    ASSERT_EQ(equalized(offsets, largest), by_formula(offsets, largest)) << whole;
  }
}

TEST(equalize, strided_views_and_bad_arguments) {
  oracle::space const space;
  Kokkos::View<int**, Kokkos::LayoutRight, oracle::memory> const table("table", 5, 3);
  oracle::assign(Kokkos::subview(table, Kokkos::ALL, 1), std::vector<int>{0, 1, 4, 4, 5});
  auto const levels = Kokkos::subview(table, Kokkos::make_pair(0, 4), 2);
  upsweep::equalize(space, Kokkos::subview(table, Kokkos::ALL, 1), levels);
  EXPECT_EQ(oracle::to_host(levels), (std::vector<int>{0, 191, 191, 255}));
  EXPECT_EQ(oracle::to_host(Kokkos::subview(table, Kokkos::ALL, 0)), std::vector<int>(5, 0));
  Kokkos::View<int*, oracle::memory> const data("data", 100);
  auto const part = [&](int begin, int end) { return Kokkos::subview(data, Kokkos::make_pair(begin, end)); };
  EXPECT_THROW(upsweep::equalize(space, part(0, 10), part(10, 20)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::equalize(space, part(0, 11), part(10, 20)), upsweep::precondition_error);
  EXPECT_NO_THROW(upsweep::equalize(space, part(0, 11), part(11, 21)));
  Kokkos::View<std::int8_t*, oracle::memory> const narrow("narrow", 10);
  EXPECT_THROW(upsweep::equalize(space, part(0, 11), narrow), upsweep::overflow_error);
  EXPECT_NO_THROW(upsweep::equalize(space, part(0, 11), narrow, 127));
}

}  // namespace
