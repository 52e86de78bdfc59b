// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// reduce() on any backend: to the host and to a View, long states, and beside scans in one workspace.

#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

using oracle::memory;
template <class T>
using result_view = Kokkos::View<T, memory>;

template <class T>
T on_host(result_view<T> const& result) {
  auto const value = oracle::value_of(result);
  return value;
}

/// Lengths around the tiles of GPUs: of few tiles, of the tiles that go by ticket, and of groups of 32 and 64 of them.
std::vector<std::size_t> lengths() { return {1, 2, 31, 1025, 4096, 65537, 262144, 1000003, 3000000, 9000001}; }

struct squares {
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t i) const { return i * i; }
};

TEST(reduce, gives_the_same_to_the_host_and_to_a_view) {
  oracle::space const space;
  upsweep::workspace ws(space);
  result_view<std::int64_t> const sum("sum"), least("least");
  for (std::size_t n : lengths()) {
    auto const values = oracle::random_values<std::int64_t>(n, -1000000, 1000000);
    auto const in = oracle::to_device(values);
    auto const expected = std::accumulate(values.begin(), values.end(), std::int64_t(0));
    upsweep::reduce(space, in, upsweep::into{sum}, upsweep::plus<>{}, {.workspace = &ws});
    upsweep::reduce(space, in, upsweep::into{least}, upsweep::min<>{});
    ASSERT_EQ(upsweep::reduce(space, in, upsweep::plus<>{}, {.workspace = &ws}), expected) << n;
    ASSERT_EQ(on_host(sum), expected) << n;
    ASSERT_EQ(on_host(least), *std::min_element(values.begin(), values.end())) << n;
  }
}

// Operands are combined in order, whatever a state's length.
TEST(reduce, functions_are_composed_in_order) {
  oracle::space const space;
  result_view<oracle::affine> const result("result");
  for (std::size_t n : lengths()) {
    std::vector<oracle::affine> values(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = {static_cast<std::uint32_t>(2 * i + 1), static_cast<std::uint32_t>(i * 7919)};
    oracle::affine_maps const op;
    auto const expected = std::accumulate(values.begin(), values.end(), op.identity(), op);
    upsweep::reduce(space, oracle::to_device(values), upsweep::into{result}, op);
    ASSERT_TRUE(on_host(result) == expected) << n;
  }
}

/// 2 x 2 matrices of integers: 32 bytes, and the order matters.
struct matrix {
  std::uint64_t a, b, c, d;
  KOKKOS_FUNCTION bool operator==(matrix const& o) const { return a == o.a && b == o.b && c == o.c && d == o.d; }
};
struct product {
  using value_type = matrix;
  KOKKOS_FUNCTION matrix identity() const { return {1, 0, 0, 1}; }
  KOKKOS_FUNCTION matrix operator()(matrix const& l, matrix const& r) const {
    return {l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d};
  }
};

TEST(reduce, states_of_32_bytes) {
  oracle::space const space;
  for (std::size_t n : {std::size_t(1), std::size_t(33), std::size_t(5000), std::size_t(700001)}) {
    std::vector<matrix> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = {i + 1, i % 3, i % 5, i | 1};
    auto const expected = std::accumulate(values.begin(), values.end(), product{}.identity(), product{});
    ASSERT_TRUE(upsweep::reduce(space, oracle::to_device(values), product{}) == expected) << n;
  }
}

TEST(reduce, states_of_256_bytes) {
  oracle::space const space;
  std::size_t const n = 5003;
  using sums = oracle::sums_of_numbers<std::uint32_t, 64>;  // longer than the workspace's place for a result
  std::vector<sums::value_type> values(n);
  sums::value_type expected{};
  for (std::size_t i = 0; i < n; ++i)
    for (std::uint32_t k = 0; k < 64; ++k) expected.x[k] += values[i].x[k] = static_cast<std::uint32_t>(i) * k;
  EXPECT_TRUE(upsweep::reduce(space, oracle::to_device(values), sums{}) == expected);
}

TEST(reduce, functors_small_types_and_unaligned_views) {
  oracle::space const space;
  upsweep::workspace ws(space);
  result_view<std::uint64_t> const result("result");
  std::uint64_t const n = 1234567;
  upsweep::reduce(space, n, squares{}, upsweep::into{result}, upsweep::plus<>{}, {.workspace = &ws});
  EXPECT_EQ(on_host(result), (n - 1) * n * (2 * n - 1) / 6);
  for (std::size_t count : {std::size_t(77), std::size_t(300007)}) {
    auto const values = oracle::random_values<std::int8_t>(count, -100, 100);
    auto const in = oracle::to_device(values);
    EXPECT_EQ(upsweep::reduce<std::int64_t>(space, in), std::accumulate(values.begin(), values.end(), std::int64_t(0)));
    EXPECT_EQ(upsweep::reduce<std::int64_t>(space, Kokkos::subview(in, std::make_pair(std::size_t(3), count))),
              std::accumulate(values.begin() + 3, values.end(), std::int64_t(0)));
  }
}

// Both leave the workspace ready for the other.
TEST(reduce, takes_turns_with_scans_in_one_workspace) {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : {std::size_t(2000003), std::size_t(100), std::size_t(70001), std::size_t(2000003)}) {
    auto const values = oracle::random_values<int>(n, -1000, 1000);
    auto const in = oracle::to_device(values);
    Kokkos::View<int*, memory> const out("out", n);
    ASSERT_EQ(upsweep::reduce(space, in, upsweep::plus<>{}, {.workspace = &ws}),
              std::accumulate(values.begin(), values.end(), 0));
    upsweep::exclusive_scan(space, in, out, upsweep::plus<>{}, {.workspace = &ws});
    std::vector<int> expected(n);
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
    ASSERT_EQ(oracle::to_host(out), expected);
  }
}

TEST(reduce, nothing_gives_the_identity_also_to_a_view) {
  oracle::space const space;
  Kokkos::View<int*, memory> const none;
  result_view<int> const result("result");
  oracle::fill(result, 5);
  upsweep::reduce(space, none, upsweep::into{result}, upsweep::times<>{});
  EXPECT_EQ(on_host(result), 1);
}

TEST(reduce, rounded_sums_have_the_same_bits_in_each_run) {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : {std::size_t(5000), std::size_t(3000001)}) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = 1.0 / double(i + 1);
    auto const in = oracle::to_device(values);
    double const first = upsweep::reduce(space, in);
    for (int run = 0; run < 10; ++run)
      ASSERT_EQ(upsweep::reduce(space, in, upsweep::plus<>{}, {.workspace = &ws}), first);
    EXPECT_NEAR(first, std::accumulate(values.begin(), values.end(), 0.0), 1e-9);
  }
}

}  // namespace
