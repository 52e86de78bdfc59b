// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/message_of.hpp"
#include "../oracle/views.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
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

/// What the header says of counts that are negative and of offsets that do not fit.
template <class Offset, class Count>
std::vector<Offset> by_rule(std::vector<Count> const& counts) {
  constexpr auto all_bits = std::numeric_limits<std::uint64_t>::max();
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<Offset>::max());
  std::vector<Offset> offsets;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i <= counts.size(); ++i) {
    offsets.push_back(static_cast<Offset>(std::min(sum, largest)));
    if (i == counts.size()) break;
    auto const count = static_cast<std::uint64_t>(std::is_signed_v<Count> && counts[i] < 0 ? 0 : counts[i]);
    sum = sum > all_bits - count ? all_bits : sum + count;
  }
  return offsets;
}

template <class Count, class Offset>
void expect_by_rule(std::vector<Count> const& counts, char const* what) {
  oracle::space const space;
  upsweep::workspace ws(space);
  Kokkos::View<Offset*, oracle::memory> const offsets("offsets", counts.size() + 1);
  upsweep::counts_to_offsets(space, oracle::to_device(counts), offsets, {.workspace = &ws});
  EXPECT_EQ(oracle::to_host(offsets), by_rule<Offset>(counts)) << what << ", n = " << counts.size();
}

// CPUs sum pieces of 4096 counts by vectors, in which nothing can be wrong; a piece in which something is, or may be,
// goes count by count, and so do tiles in which it is.
template <class Count, class Offset>
void expect_faults_by_rule() {
  constexpr Count most = std::numeric_limits<Count>::max();
  for (std::size_t n : {1u, 255u, 256u, 4095u, 4096u, 4097u, 12287u, 12288u, 100000u})
    for (std::size_t place : {std::size_t(0), n / 2, n - 1}) {
      std::vector<Count> counts(n, 1);
      expect_by_rule<Count, Offset>(counts, "ones");
      counts[place] = most;
      expect_by_rule<Count, Offset>(counts, "a large one");
      counts[n / 3] = most;
      expect_by_rule<Count, Offset>(counts, "two large ones");
      counts[place] = static_cast<Count>(-1);
      expect_by_rule<Count, Offset>(counts, "a negative one or the largest");
    }
}

TEST(counts_to_offsets, wrong_counts_change_no_others) {
  expect_faults_by_rule<std::int8_t, std::int32_t>();
  expect_faults_by_rule<std::int32_t, std::int32_t>();
  expect_faults_by_rule<std::uint32_t, std::size_t>();
  expect_faults_by_rule<std::int64_t, std::int32_t>();
  expect_faults_by_rule<std::uint64_t, std::uint64_t>();
}

TEST(counts_to_offsets, the_largest_sum_of_64_bits_is_an_overflow) {
  oracle::space const space;
  Kokkos::View<std::uint64_t*, oracle::memory> const offsets("offsets", 3);
  auto const counts = [](std::uint64_t last) {
    return oracle::to_device(std::vector<std::uint64_t>{std::numeric_limits<std::uint64_t>::max() - 7, last});
  };
  EXPECT_NO_THROW(upsweep::counts_to_offsets(space, counts(6), offsets));
  EXPECT_THROW(upsweep::counts_to_offsets(space, counts(7), offsets), upsweep::overflow_error);
}

TEST(counts_to_offsets, in_place_and_wrong_extents) {
  oracle::space const space;
  auto const v = oracle::to_device<int>({2, 0, 3, -7});
  upsweep::counts_to_offsets(space, Kokkos::subview(v, std::make_pair(0, 3)), v);
  EXPECT_EQ(oracle::to_host(v), (std::vector<int>{0, 2, 2, 5}));
  EXPECT_THROW(upsweep::counts_to_offsets(space, v, v), upsweep::precondition_error);
}

}  // namespace
