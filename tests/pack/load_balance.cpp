// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "moving.hpp"

#include <upsweep/pack/load_balance.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

struct crs {
  std::vector<std::size_t> offsets{0};
  std::vector<int> rows;
};

/// Rows of random lengths from lo to hi, many of them empty where lo is negative.
crs random_rows(std::size_t count, int lo, int hi) {
  crs result;
  auto const lengths = oracle::random_values<int>(count, lo, hi, unsigned(count) + 1);
  for (std::size_t r = 0; r < count; ++r) {
    for (int k = 0; k < lengths[r]; ++k) result.rows.push_back(int(r));
    result.offsets.push_back(result.rows.size());
  }
  return result;
}

template <class Row, class Offset>
void check(crs const& expected, upsweep::workspace* ws) {
  std::vector<Offset> const offsets(expected.offsets.begin(), expected.offsets.end());
  auto const rows = oracle::to_device(std::vector<Row>(expected.rows.size(), Row(99)));
  upsweep::load_balance(oracle::space{}, oracle::to_device(offsets), rows, {.workspace = ws});
  ASSERT_EQ(oracle::to_host(rows), std::vector<Row>(expected.rows.begin(), expected.rows.end()))
      << offsets.size() - 1 << " rows";
}

TEST(load_balance, gives_every_item_its_row) {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t count : {0, 1, 2, 63, 64, 65, 1000, 4097, 200001})
    for (auto [lo, hi] : {std::pair(0, 3), std::pair(-20, 2), std::pair(1, 1), std::pair(0, 40), std::pair(0, 0)}) {
      crs const expected = random_rows(count, lo, hi);
      check<int, std::size_t>(expected, &ws);
      check<std::int64_t, int>(expected, &ws);
      if (count < 30000) check<std::int16_t, std::uint32_t>(expected, nullptr);
      ws.check(space);
    }
  // One row with everything between empty ones.
  crs one{{0, 0, 0, 1000000, 1000000}, std::vector<int>(1000000, 2)};
  check<int, std::size_t>(one, &ws);
}

TEST(load_balance, strided_views) {
  oracle::space const space;
  crs const expected = random_rows(1000, 0, 20);
  Kokkos::View<std::size_t**, Kokkos::LayoutRight, oracle::memory> const offsets("offsets", 1001, 2);
  Kokkos::View<int**, Kokkos::LayoutRight, oracle::memory> const rows("rows", expected.rows.size(), 3);
  oracle::assign(Kokkos::subview(offsets, Kokkos::ALL, 1), expected.offsets);
  upsweep::load_balance(space, Kokkos::subview(offsets, Kokkos::ALL, 1), Kokkos::subview(rows, Kokkos::ALL, 2));
  EXPECT_EQ(oracle::to_host(Kokkos::subview(rows, Kokkos::ALL, 2)), expected.rows);
  std::vector<int> const untouched(expected.rows.size(), 0);
  EXPECT_EQ(oracle::to_host(Kokkos::subview(rows, Kokkos::ALL, 1)), untouched);
}

std::string message_for(std::vector<std::int64_t> const& offsets, std::size_t n, upsweep::workspace* ws) {
  oracle::space const space;
  Kokkos::View<int*, oracle::memory> const guarded("guarded", n + 2);
  oracle::fill(guarded, -5);
  std::string message;
  try {
    upsweep::load_balance(space, oracle::to_device(offsets),
                          Kokkos::subview(guarded, Kokkos::make_pair(std::size_t(1), n + 1)), {.workspace = ws});
    if (ws != nullptr) ws->check(space);
  } catch (upsweep::precondition_error const& e) {
    message = e.what();
  }
  auto const found = oracle::to_host(guarded);
  EXPECT_EQ(found.front(), -5);
  EXPECT_EQ(found.back(), -5);
  return message.substr(0, message.find(" is wrong"));
}

TEST(load_balance, wrong_offsets_are_named_and_nothing_is_written_outside) {
  upsweep::workspace ws{oracle::space{}};
  for (auto* memory : {static_cast<upsweep::workspace*>(nullptr), &ws}) {
    EXPECT_EQ(message_for({0, 3, 10}, 10, memory), "");
    EXPECT_EQ(message_for({1, 3, 10}, 10, memory), "load_balance: offsets(0)");
    EXPECT_EQ(message_for({0, 3, 9}, 10, memory), "load_balance: offsets(2)");
    EXPECT_EQ(message_for({0, 11, 10}, 10, memory), "load_balance: offsets(1)");
    EXPECT_EQ(message_for({0, 7, 3, 10}, 10, memory), "load_balance: offsets(2)");
    EXPECT_EQ(message_for({0, -2, 3, 10}, 10, memory), "load_balance: offsets(1)");
    EXPECT_EQ(message_for({0}, 10, memory), "load_balance: offsets(0)");
    EXPECT_EQ(message_for({0, 1}, 0, memory), "load_balance: offsets(1)");
    EXPECT_EQ(message_for({0, 0}, 0, memory), "");
  }
}

TEST(load_balance, a_wrong_offset_among_many_is_named) {
  // Threads of a CPU have blocks of rows and items, and each judges a share of the offsets.
  upsweep::workspace ws{oracle::space{}};
  for (std::size_t mean : {1, 40}) {
    std::vector<std::int64_t> right;
    for (std::size_t r = 0; r <= 60000 / mean; ++r) right.push_back(std::int64_t(r * mean));
    std::size_t const n = std::size_t(right.back());
    ASSERT_EQ(message_for(right, n, &ws), "");
    for (std::size_t r : {std::size_t(1), right.size() / 3, right.size() / 2, right.size() - 2})
      for (std::int64_t wrong : {std::int64_t(-1), std::int64_t(n) + 1, std::int64_t(1) << 62}) {
        auto offsets = right;
        offsets[r] = wrong;
        EXPECT_EQ(message_for(offsets, n, &ws), "load_balance: offsets(" + std::to_string(r) + ")") << wrong;
      }
  }
}

TEST(load_balance, bad_arguments) {
  oracle::space const space;
  moving::ranges const part;
  EXPECT_THROW(upsweep::load_balance(space, part(0, 0), part(100, 200)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::load_balance(space, part(0, 200), part(100, 300)), upsweep::precondition_error);
  Kokkos::View<std::int8_t*, oracle::memory> const narrow("narrow", 0);
  EXPECT_NO_THROW(upsweep::load_balance(space, part(0, 129), narrow));
  EXPECT_THROW(upsweep::load_balance(space, part(0, 130), narrow), upsweep::overflow_error);
}

TEST(load_balance, asynchronous_and_without_allocations_with_a_workspace) {
  oracle::space const space;
  crs const expected = random_rows(20000, 0, 20);
  auto const offsets = oracle::to_device(expected.offsets);
  Kokkos::View<int*, oracle::memory> const rows("rows", expected.rows.size());
  moving::expect_asynchronous([&](auto const& options) { upsweep::load_balance(space, offsets, rows, options); });
}

}  // namespace
