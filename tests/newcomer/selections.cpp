// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Selections, sorts and counts by somebody who has read docs/pack.md.

#include <gtest/gtest.h>
#include <upsweep/upsweep.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

namespace {

using space_type = Kokkos::DefaultExecutionSpace;

constexpr std::size_t n = 10'007;
constexpr int bins = 100;

/// Numbers from 0 to 99, in no order.
std::vector<int> numbers() {
  std::vector<int> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = static_cast<int>(i * 7919 % 1009 % bins);
  return result;
}
Kokkos::View<int*> to_device(std::vector<int> const& values) {
  Kokkos::View<int*> const result("values", values.size());
  Kokkos::deep_copy(result, Kokkos::View<int const*, Kokkos::HostSpace>(values.data(), values.size()));
  return result;
}
template <class T>
std::vector<T> to_host(Kokkos::View<T*> view, std::size_t count) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<T>(host.data(), host.data() + count);
}

struct is_small {
  KOKKOS_FUNCTION bool operator()(int x) const { return x < 10; }
};

}  // namespace

TEST(newcomer, stream_compaction) {
  space_type const space;
  auto const host = numbers();
  auto const in = to_device(host);
  Kokkos::View<int*> const out("out", n);
  std::uint64_t const count = upsweep::compact(space, in, out, is_small{});

  std::vector<int> expected;
  std::copy_if(host.begin(), host.end(), std::back_inserter(expected), is_small{});
  EXPECT_EQ(to_host(out, count), expected);
}

TEST(newcomer, partition) {
  space_type const space;
  auto expected = numbers();
  auto const in = to_device(expected);
  Kokkos::View<int*> const out("out", n);
  auto const counts = upsweep::partition(space, in, out, is_small{});

  auto const middle = std::stable_partition(expected.begin(), expected.end(), is_small{});
  EXPECT_EQ(to_host(out, n), expected);
  EXPECT_EQ(counts[0], static_cast<std::uint64_t>(middle - expected.begin()));
  EXPECT_EQ(counts[0] + counts[1], n);
}

TEST(newcomer, sort_by_key) {
  space_type const space;
  auto const host = numbers();
  auto const keys = to_device(host);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  auto const values = to_device(order);
  upsweep::sort_by_key(space, keys, values);

  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return host[static_cast<std::size_t>(a)] < host[static_cast<std::size_t>(b)]; });
  EXPECT_EQ(to_host(values, n), order);
  auto sorted = host;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(to_host(keys, n), sorted);
}

TEST(newcomer, histogram) {
  space_type const space;
  auto const host = numbers();
  Kokkos::View<int*> const counts("counts", bins), offsets("offsets", bins + 1);
  upsweep::histogram(space, to_device(host), counts, offsets);

  std::vector<int> expected(bins), expected_offsets(bins + 1);
  for (int const x : host) ++expected[static_cast<std::size_t>(x)];
  std::partial_sum(expected.begin(), expected.end(), expected_offsets.begin() + 1);
  EXPECT_EQ(to_host(counts, bins), expected);
  EXPECT_EQ(to_host(offsets, bins + 1), expected_offsets);
}

TEST(newcomer, run_lengths_and_unique) {
  space_type const space;
  std::vector<int> host;
  for (int const x : numbers()) host.insert(host.end(), static_cast<std::size_t>(x % 4), x);
  auto const in = to_device(host);
  Kokkos::View<int*> const values("values", host.size()), lengths("lengths", host.size()),
      firsts("firsts", host.size());
  std::uint64_t const runs = upsweep::run_length(space, in, values, lengths);
  std::uint64_t const kept = upsweep::unique(space, in, firsts);

  std::vector<int> expected_lengths;
  for (std::size_t i = 0; i < host.size(); ++i) {
    if (i == 0 || host[i] != host[i - 1]) expected_lengths.push_back(0);
    ++expected_lengths.back();
  }
  host.erase(std::unique(host.begin(), host.end()), host.end());
  EXPECT_EQ(to_host(values, runs), host);
  EXPECT_EQ(to_host(lengths, runs), expected_lengths);
  EXPECT_EQ(to_host(firsts, kept), host);
}
