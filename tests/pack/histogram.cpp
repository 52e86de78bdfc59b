// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/forks.hpp"
#include "moving.hpp"

#include <upsweep/pack/histogram.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

template <class Count>
std::vector<Count> expected_counts(std::vector<int> const& in, std::size_t bins) {
  std::vector<Count> counts(bins, 0);
  for (int b : in)
    if (b >= 0 && std::size_t(b) < bins) ++counts[std::size_t(b)];
  return counts;
}

/// Counts its calls: every element is asked for once.
struct bin_of_element {
  Kokkos::View<int*, oracle::memory> bins, calls;
  KOKKOS_FUNCTION int operator()(std::size_t i) const {
    Kokkos::atomic_inc(&calls(i));
    return bins(i);
  }
};

template <class Bin, class Count>
void check(std::size_t n, std::size_t bins, upsweep::workspace& ws) {
  oracle::space const space;
  // Some are none of the bins, on either side.
  int const most = sizeof(Bin) == 1 ? 127 : int(bins) + 3;
  auto const in = oracle::random_values<int>(n, -2, std::min(most, int(bins) + 3), unsigned(n) + 1);
  auto const device = oracle::to_device(std::vector<Bin>(in.begin(), in.end()));
  auto const expected = expected_counts<Count>(in, bins);
  std::vector<std::size_t> offsets{0};
  for (auto c : expected) offsets.push_back(offsets.back() + std::size_t(c));
  Kokkos::View<Count*, oracle::memory> const counts("counts", bins);
  Kokkos::View<std::size_t*, oracle::memory> const starts("offsets", bins + 1);
  oracle::fill(counts, Count(77));
  upsweep::histogram(space, device, counts, {.workspace = &ws});
  ASSERT_EQ(oracle::to_host(counts), expected) << n << " elements, " << bins << " bins";
  oracle::fill(counts, Count(77));
  upsweep::histogram(space, device, counts, starts, {.workspace = &ws});
  ASSERT_EQ(oracle::to_host(counts), expected);
  ASSERT_EQ(oracle::to_host(starts), offsets);

  Kokkos::View<int*, oracle::memory> const calls("calls", n);
  upsweep::histogram(space, n, bin_of_element{oracle::to_device(in), calls}, counts, starts);
  ASSERT_EQ(oracle::to_host(counts), expected);
  ASSERT_EQ(oracle::to_host(starts), offsets);
  ASSERT_EQ(oracle::to_host(calls), std::vector<int>(n, 1));
}

TEST(histogram, counts_every_bin) {
  upsweep::workspace ws{oracle::space{}};
  for (std::size_t n : moving::sizes())
    // Around 256, 1024 and 8192 columns and ways of counting change on GPUs, around 4096 the way on CPUs.
    for (std::size_t bins : {1u, 2u, 100u, 256u, 257u, 1024u, 1025u, 4096u, 4097u, 8192u, 8193u, 100000u}) {
      if (n > 1000000 && bins > 2 && bins < 4096) continue;
      check<int, std::int32_t>(n, bins, ws);
      check<std::int64_t, std::uint64_t>(n, bins, ws);
      if (bins <= 100) check<std::int8_t, std::uint32_t>(n, bins, ws);
    }
}

enum class order { one_bin, sorted, backwards, blocks };

std::vector<int> ordered(order which, std::size_t n, std::size_t bins) {
  std::vector<int> in(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t const rising = i * bins / n;
    switch (which) {
      case order::one_bin: in[i] = int(bins - 1); break;
      case order::sorted: in[i] = int(rising); break;
      case order::backwards: in[i] = int(bins - 1 - rising); break;
      case order::blocks: in[i] = int(i / 100 % bins); break;
    }
  }
  return in;
}

/// Calls that wait, and calls with a workspace, of the first `n` elements from `past` on: elements of every alignment.
template <class Bin>
void check_ordered(std::vector<int> const& in, std::size_t past, std::size_t bins, upsweep::workspace& ws) {
  oracle::space const space;
  auto const all = oracle::to_device(std::vector<Bin>(in.begin(), in.end()));
  auto const part = Kokkos::subview(all, Kokkos::make_pair(past, in.size()));
  auto const expected = expected_counts<std::uint32_t>({in.begin() + std::ptrdiff_t(past), in.end()}, bins);
  Kokkos::View<std::uint32_t*, oracle::memory> const counts("counts", bins);
  oracle::fill(counts, 77u);
  upsweep::histogram(space, part, counts);
  EXPECT_EQ(oracle::to_host(counts), expected);
  oracle::fill(counts, 77u);
  upsweep::histogram(space, part, counts, {.workspace = &ws});
  EXPECT_EQ(oracle::to_host(counts), expected);
}

TEST(histogram, orders_and_alignments) {
  upsweep::workspace ws{oracle::space{}};
  for (order which : {order::one_bin, order::sorted, order::backwards, order::blocks})
    for (std::size_t n : {50u, 16384u, 16400u, 300000u})
      for (std::size_t bins : {1u, 16u, 200u, 3000u, 5000u, 20000u})
        for (std::size_t past : {0u, 1u, 2u, 3u, 5u}) {
          SCOPED_TRACE("order " + std::to_string(int(which)) + ", " + std::to_string(n) + " elements, " +
                       std::to_string(bins) + " bins, from " + std::to_string(past));
          auto const in = ordered(which, n, bins);
          check_ordered<int>(in, past, bins, ws);
          check_ordered<std::int64_t>(in, past, bins, ws);
          if (bins <= 200) check_ordered<std::uint8_t>(in, past, bins, ws);
        }
}

/// A bin of 64 bits that is none, though its low half is one.
TEST(histogram, wide_bins_are_not_cut) {
  oracle::space const space;
  std::vector<std::int64_t> const in{
      3, std::int64_t(1) << 32, (std::int64_t(1) << 40) + 3, -(std::int64_t(1) << 32), -1, 3, 9};
  for (std::size_t bins : {10u, 20000u}) {
    Kokkos::View<int*, oracle::memory> const counts("counts", bins);
    upsweep::histogram(space, oracle::to_device(in), counts);
    std::vector<int> expected(bins, 0);
    expected[3] = 2;
    expected[9] = 1;
    EXPECT_EQ(oracle::to_host(counts), expected);
  }
}

/// Scans and histograms take turns in one workspace.
TEST(histogram, shares_a_workspace_with_scans) {
  oracle::space const space;
  upsweep::workspace ws(space);
  auto const in = oracle::random_values<int>(200000, 0, 99);
  auto const device = oracle::to_device(in);
  auto const expected = expected_counts<int>(in, 100);
  std::vector<int> sums(in.size());
  std::exclusive_scan(in.begin(), in.end(), sums.begin(), 0);
  Kokkos::View<int*, oracle::memory> const counts("counts", 100), scanned("scanned", in.size());
  for (int round = 0; round < 5; ++round) {
    oracle::fill(counts, 77);
    upsweep::histogram(space, device, counts, {.workspace = &ws});
    upsweep::exclusive_scan(space, device, scanned, upsweep::plus<>{}, {.workspace = &ws});
    EXPECT_EQ(oracle::to_host(counts), expected);
    EXPECT_EQ(oracle::to_host(scanned), sums);
  }
}

TEST(histogram, no_bins_and_strided_views) {
  oracle::space const space;
  auto const in = oracle::random_values<int>(5000, 0, 9);
  Kokkos::View<int**, Kokkos::LayoutRight, oracle::memory> const table("table", 5000, 2), counts("counts", 10, 3);
  auto const from = Kokkos::subview(table, Kokkos::ALL, 1), to = Kokkos::subview(counts, Kokkos::ALL, 1);
  oracle::assign(from, in);
  upsweep::histogram(space, from, to);
  EXPECT_EQ(oracle::to_host(to), expected_counts<int>(in, 10));
  EXPECT_EQ(oracle::to_host(Kokkos::subview(counts, Kokkos::ALL, 2)), std::vector<int>(10, 0));
  Kokkos::View<int*, oracle::memory> const none("none", 0);
  Kokkos::View<std::size_t*, oracle::memory> const offsets("offsets", 1);
  oracle::fill(offsets, 7);
  upsweep::histogram(space, from, none, offsets);
  EXPECT_EQ(oracle::to_host(offsets), std::vector<std::size_t>{0});
}

// The calling thread begins; where elements take long, others count what is left.
TEST(histogram, threads_of_a_host_share_dear_elements) {
  Kokkos::DefaultHostExecutionSpace const space;
  for (std::size_t bins : {10u, 5000u}) {
    std::size_t const n = 3000;
    Kokkos::View<std::uint32_t*, Kokkos::HostSpace> const counts("counts", bins);
    auto const dear = [bins](std::size_t i) {
      if (i < 3) std::this_thread::sleep_for(std::chrono::microseconds(100));
      return static_cast<std::int64_t>(i % bins) - 1;
    };
    upsweep::histogram(space, n, dear, counts);
    std::vector<std::uint32_t> expected(bins, 0);
    for (std::size_t i = 0; i < n; ++i)
      if (i % bins != 0) ++expected[i % bins - 1];
    EXPECT_EQ(std::vector<std::uint32_t>(counts.data(), counts.data() + bins), expected) << bins;
  }
}

/// Bins of which a few, by their place, are none.
template <class Bin>
void check_alone_and_shared(std::size_t n, std::size_t bins, std::size_t bad_every) {
  Kokkos::DefaultHostExecutionSpace const space;
  auto const in = oracle::random_values<int>(n, 0, int(bins) - 1, unsigned(n));
  using limits = std::numeric_limits<Bin>;
  Bin const no_bin[] = {static_cast<Bin>(-1), limits::max(), static_cast<Bin>(bins), limits::min()};
  Kokkos::View<Bin*, Kokkos::HostSpace> const elements("elements", n);
  std::vector<std::uint32_t> expected(bins, 0);
  for (std::size_t i = 0; i < n; ++i) {
    elements(i) = (i + 1) % bad_every == 0 ? no_bin[i % 4] : static_cast<Bin>(in[i]);
    if (static_cast<std::size_t>(elements(i)) < bins) ++expected[static_cast<std::size_t>(elements(i))];
  }
  Kokkos::View<std::uint32_t*, Kokkos::HostSpace> const counts("counts", bins);
  for (bool alone : {true, false}) {
    SCOPED_TRACE(std::to_string(n) + " elements, " + std::to_string(bins) + " bins, none every " +
                 std::to_string(bad_every) + (alone ? ", alone" : ", together"));
    std::optional<oracle::no_forks> none;
    if (alone) none.emplace();
    oracle::fill(counts, 77u);
    upsweep::histogram(space, elements, counts);
    EXPECT_EQ(std::vector<std::uint32_t>(counts.data(), counts.data() + bins), expected);
  }
}

// A thread alone, and several with counts of their own, which the calling thread or each adds up.
TEST(histogram, threads_of_a_host_alone_and_together) {
  for (std::size_t n : {300u, 9000u, 30011u, 200003u})
    for (std::size_t bad_every : {1u, 7u, 64u, 1000u, 1000000u}) {
      for (std::size_t bins : {1u, 3u, 100u, 127u}) check_alone_and_shared<std::int8_t>(n, bins, bad_every);
      for (std::size_t bins : {3u, 200u, 255u, 256u}) check_alone_and_shared<std::uint8_t>(n, bins, bad_every);
      for (std::size_t bins : {3u, 256u, 257u, 2000u, 4096u, 5000u}) {
        check_alone_and_shared<std::int16_t>(n, bins, bad_every);
        check_alone_and_shared<std::int32_t>(n, bins, bad_every);
        check_alone_and_shared<std::int64_t>(n, bins, bad_every);
      }
    }
}

TEST(histogram, bad_arguments) {
  oracle::space const space;
  moving::ranges const part;
  bin_of_element const bins{part.data, part.data};
  EXPECT_THROW(upsweep::histogram(space, part(0, 200), part(100, 300)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::histogram(space, part(0, 100), part(100, 200), part(200, 300)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::histogram(space, part(0, 100), part(100, 200), part(199, 300)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::histogram(space, -1, bins, part(100, 200)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::histogram(space, std::int64_t(1) << 31, bins, part(100, 200)), upsweep::overflow_error);
  // 300 elements in one bin: an offset of 8 bits does not hold them.
  Kokkos::View<std::int8_t*, oracle::memory> const narrow("narrow", 2);
  EXPECT_THROW(upsweep::histogram(space, part(0, 300), part(300, 301), narrow), upsweep::overflow_error);
}

TEST(histogram, asynchronous_and_without_allocations_with_a_workspace) {
  oracle::space const space;
  auto const in = oracle::to_device(oracle::random_values<int>(100003, 0, 9999));
  for (std::size_t bins : {100u, 10000u}) {
    Kokkos::View<int*, oracle::memory> const counts("counts", bins), offsets("offsets", bins + 1);
    moving::expect_asynchronous([&](auto const& options) { upsweep::histogram(space, in, counts, offsets, options); });
  }
}

TEST(histogram, offsets_of_many_bins) {
  oracle::space const space;
  std::size_t const bins = 300000;
  auto const in = oracle::random_values<int>(100000, 0, int(bins) - 1);
  auto const device = oracle::to_device(in);
  std::vector<int> expected(bins + 1);
  for (int const bin : in) ++expected[std::size_t(bin) + 1];
  std::partial_sum(expected.begin(), expected.end(), expected.begin());
  Kokkos::View<int*, oracle::memory> const counts("counts", bins), offsets("offsets", bins + 1);
  upsweep::histogram(space, device, counts, offsets);
  EXPECT_EQ(oracle::to_host(offsets), expected);
}

}  // namespace
