// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "moving.hpp"

#include <upsweep/pack/histogram.hpp>

#include <gtest/gtest.h>

#include <numeric>

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
  KOKKOS_FUNCTION int operator()(std::int64_t i) const {
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
  Kokkos::deep_copy(counts, Count(77));
  upsweep::histogram(space, device, counts, {.workspace = &ws});
  ASSERT_EQ(oracle::to_host(counts), expected) << n << " elements, " << bins << " bins";
  Kokkos::deep_copy(counts, Count(77));
  upsweep::histogram(space, device, counts, starts, {.workspace = &ws});
  ASSERT_EQ(oracle::to_host(counts), expected);
  ASSERT_EQ(oracle::to_host(starts), offsets);

  Kokkos::View<int*, oracle::memory> const calls("calls", n);
  upsweep::histogram(space, std::int64_t(n), bin_of_element{oracle::to_device(in), calls}, counts, starts);
  ASSERT_EQ(oracle::to_host(counts), expected);
  ASSERT_EQ(oracle::to_host(starts), offsets);
  ASSERT_EQ(oracle::to_host(calls), std::vector<int>(n, 1));
}

TEST(histogram, counts_every_bin) {
  upsweep::workspace ws{oracle::space{}};
  for (std::size_t n : moving::sizes())
    for (std::size_t bins : {1u, 2u, 100u, 4096u, 4097u, 100000u}) {
      check<int, std::int32_t>(n, bins, ws);
      check<std::int64_t, std::uint64_t>(n, bins, ws);
      if (bins <= 100) check<std::int8_t, std::uint32_t>(n, bins, ws);
    }
}

TEST(histogram, no_bins_and_strided_views) {
  oracle::space const space;
  auto const in = oracle::random_values<int>(5000, 0, 9);
  Kokkos::View<int**, Kokkos::LayoutRight, oracle::memory> const table("table", 5000, 2), counts("counts", 10, 3);
  auto const from = Kokkos::subview(table, Kokkos::ALL, 1), to = Kokkos::subview(counts, Kokkos::ALL, 1);
  Kokkos::deep_copy(from, oracle::to_device(in));
  upsweep::histogram(space, from, to);
  EXPECT_EQ(oracle::to_host(to), expected_counts<int>(in, 10));
  EXPECT_EQ(oracle::to_host(Kokkos::subview(counts, Kokkos::ALL, 2)), std::vector<int>(10, 0));
  Kokkos::View<int*, oracle::memory> const none("none", 0);
  Kokkos::View<std::size_t*, oracle::memory> const offsets("offsets", 1);
  Kokkos::deep_copy(offsets, 7);
  upsweep::histogram(space, from, none, offsets);
  EXPECT_EQ(oracle::to_host(offsets), std::vector<std::size_t>{0});
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

}  // namespace
