// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/message_of.hpp"
#include "../oracle/views.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace {

using oracle::message_of;

TEST(counts_to_offsets, counts_to_offsets) {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (auto n : oracle::sizes()) {
    auto const counts = oracle::random_values<int>(n, 0, 9);
    Kokkos::View<std::size_t*, oracle::memory> const offsets("offsets", n + 1);
    std::size_t total = 99;
    upsweep::counts_to_offsets(space, oracle::to_device(counts), offsets, upsweep::into{total}, {.workspace = &ws});
    std::vector<std::size_t> expected(n + 1, 0);
    std::inclusive_scan(counts.begin(), counts.end(), expected.begin() + 1, std::plus<>{}, std::size_t(0));
    EXPECT_EQ(oracle::to_host(offsets), expected) << n;
    EXPECT_EQ(total, expected.back());
  }
}

TEST(counts_to_offsets, negative_count_is_named) {
  oracle::space const space;
  std::vector<int> counts(100000, 1);
  counts[54321] = counts[99999] = -1;
  auto const in = oracle::to_device(counts);
  Kokkos::View<int*, oracle::memory> const offsets("offsets", counts.size() + 1);
  EXPECT_EQ(message_of([&] { upsweep::counts_to_offsets(space, in, offsets); }),
            "counts_to_offsets: counts(54321) is negative");
  // With a workspace the call itself never throws for data; check() does, once.
  upsweep::workspace ws(space);
  upsweep::counts_to_offsets(space, in, offsets, {.workspace = &ws});
  EXPECT_THROW(ws.check(space), upsweep::precondition_error);
  EXPECT_NO_THROW(ws.check(space));
}

TEST(counts_to_offsets, overflow_saturates_and_is_named) {
  oracle::space const space;
  std::vector<std::int64_t> counts(10, std::numeric_limits<std::int32_t>::max() / 4);
  Kokkos::View<std::int32_t*, oracle::memory> const offsets("offsets", 11);
  EXPECT_NE(message_of([&] {
              upsweep::counts_to_offsets(space, oracle::to_device(counts), offsets);
            }).find("offsets(5) does not fit"),
            std::string::npos);
  auto const got = oracle::to_host(offsets);
  EXPECT_EQ(got[4], 4 * counts[0]);
  for (int i = 5; i <= 10; ++i) EXPECT_EQ(got[i], std::numeric_limits<std::int32_t>::max());

  std::vector<std::uint64_t> const huge(3, std::uint64_t(1) << 63);
  Kokkos::View<std::uint64_t*, oracle::memory> const wide("wide", 4);
  std::size_t total = 0;
  EXPECT_THROW(upsweep::counts_to_offsets(space, oracle::to_device(huge), wide, upsweep::into{total}),
               upsweep::overflow_error);
}

TEST(counts_to_offsets, in_place_and_wrong_extents) {
  oracle::space const space;
  auto const v = oracle::to_device<int>({2, 0, 3, -7});
  upsweep::counts_to_offsets(space, Kokkos::subview(v, std::make_pair(0, 3)), v);
  EXPECT_EQ(oracle::to_host(v), (std::vector<int>{0, 2, 2, 5}));
  EXPECT_THROW(upsweep::counts_to_offsets(space, v, v), upsweep::precondition_error);
}

}  // namespace
