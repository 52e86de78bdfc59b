// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/instances.hpp"
#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"

#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace {

template <class T>
void check_plus(std::size_t n, bool with_workspace) {
  oracle::space const space;
  upsweep::workspace ws(space);
  upsweep::scan_options const options{.workspace = with_workspace ? &ws : nullptr};
  auto const values = oracle::random_values<T>(n, 0, 3, static_cast<unsigned>(n));
  auto const in = oracle::to_device(values);
  // Guards on both sides of the output show writes outside it.
  Kokkos::View<T*, oracle::memory> const guarded("guarded", n + 2);
  oracle::fill(guarded, T(77));
  auto const out = Kokkos::subview(guarded, std::make_pair(std::size_t(1), n + 1));
  std::vector<T> expected(n);

  upsweep::exclusive_scan(space, in, out, upsweep::plus<>{}, options);
  space.fence();
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), T(0));
  EXPECT_EQ(oracle::to_host(out), expected) << "exclusive, n = " << n;

  upsweep::inclusive_scan(space, in, out, upsweep::plus<>{}, options);
  space.fence();
  std::inclusive_scan(values.begin(), values.end(), expected.begin());
  EXPECT_EQ(oracle::to_host(out), expected) << "inclusive, n = " << n;

  auto const all = oracle::to_host(guarded);
  EXPECT_EQ(all.front(), T(77));
  EXPECT_EQ(all.back(), T(77));
  EXPECT_EQ(upsweep::reduce(space, in, upsweep::plus<>{}, options),
            std::accumulate(values.begin(), values.end(), T(0)));
}

TEST(scan, plus_int) {
  for (auto n : oracle::sizes()) check_plus<int>(n, n % 2 == 0);
}
TEST(scan, plus_double) {  // small integers: exact in any association
  for (auto n : oracle::sizes()) check_plus<double>(n, n % 2 == 1);
}

TEST(scan, examples_of_the_sources) {
  oracle::space const space;
  auto const in = oracle::to_device<int>({4, 3, 7, 9, 2, 3});
  Kokkos::View<int*, oracle::memory> const out("out", 6);
  upsweep::exclusive_scan(space, in, out);
  EXPECT_EQ(oracle::to_host(out), (std::vector<int>{0, 4, 7, 14, 23, 25}));
  upsweep::inclusive_scan(space, in, out);
  EXPECT_EQ(oracle::to_host(out), (std::vector<int>{4, 7, 14, 23, 25, 28}));
  EXPECT_EQ(upsweep::reduce(space, oracle::to_device<int>({2, 4, 6, 8, 1, 3, 5, 7})), 36);
}

template <class Monoid, class In, class State>
void check_monoid(Monoid const& op, std::vector<In> const& values, State init) {
  oracle::space const space;
  auto const in = oracle::to_device(values);
  Kokkos::View<State*, oracle::memory> const out("out", values.size());
  std::vector<State> expected(values.size());
  State running = init;
  for (std::size_t i = 0; i < values.size(); ++i) {
    expected[i] = running;
    running = op(running, upsweep::internal::lift(op, values[i]));
  }
  upsweep::exclusive_scan(space, in, out, init, op);
  EXPECT_EQ(oracle::to_host(out), expected) << values.size();
  // The same from an initial value on the device, inclusive.
  Kokkos::View<State, oracle::memory> const device_init("init");
  oracle::fill(device_init, init);
  expected.erase(expected.begin(), expected.begin() + (values.empty() ? 0 : 1));
  if (!values.empty()) expected.push_back(running);
  upsweep::inclusive_scan(space, in, out, upsweep::from{device_init}, op);
  EXPECT_EQ(oracle::to_host(out), expected) << values.size();
}

TEST(scan, matrices_keep_their_order) {
  for (std::size_t n : {1, 257, 4097, 300007})
    check_monoid(oracle::matrix_product{}, oracle::random_values<int>(n, 0, 1000), oracle::matrix{2, 1, 1, 1});
}

TEST(scan, only_adjacent_operands) {
  for (std::size_t n : {2, 4096, 12289, 100003}) {
    std::vector<oracle::run> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = {std::int64_t(i) + 1, std::int64_t(i) + 2};
    check_monoid(oracle::adjacent_only{}, values, oracle::run{0, 1});
  }
}

TEST(scan, recurrence_through_lift_and_lower) {
  oracle::space const space;
  auto const values = oracle::random_values<std::uint64_t>(100003, 0, 1 << 20);
  Kokkos::View<std::uint64_t*, oracle::memory> const out("out", values.size());
  upsweep::inclusive_scan(space, oracle::to_device(values), out, oracle::affine_composition{});
  std::vector<std::uint64_t> expected(values.size());
  std::uint64_t x = 0;
  for (std::size_t i = 0; i < values.size(); ++i) expected[i] = x = (2 * values[i] + 1) * x + values[i];
  EXPECT_EQ(oracle::to_host(out), expected);
}

struct squares {
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t i) const { return static_cast<std::int64_t>(i * i); }
};

TEST(scan, functor_input_strided_output_and_max) {
  oracle::space const space;
  std::size_t const n = 10007;
  Kokkos::View<std::int64_t**, Kokkos::LayoutRight, oracle::memory> const table("table", n, 3);
  auto const column = Kokkos::subview(table, Kokkos::ALL, 1);
  upsweep::exclusive_scan(space, squares{}, column);
  auto const got = oracle::to_host(column);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(got[i], sum) << i;
    sum += static_cast<std::int64_t>(i * i);
  }
  for (int c : {0, 2})
    for (auto v : oracle::to_host(Kokkos::subview(table, Kokkos::ALL, c))) ASSERT_EQ(v, 0);
  EXPECT_EQ(upsweep::reduce(space, n, squares{}, upsweep::max<>{}), std::int64_t((n - 1) * (n - 1)));
  EXPECT_EQ(upsweep::reduce(space, column, upsweep::max<>{}), got.back());
}

TEST(scan, in_place_and_wider_accumulator) {
  oracle::space const space;
  auto const values = oracle::random_values<int>(70001, 0, 2000000000);
  auto const in = oracle::to_device(values);
  Kokkos::View<std::int64_t*, oracle::memory> const wide("wide", values.size());
  upsweep::inclusive_scan(space, in, wide);
  std::vector<std::int64_t> expected(values.begin(), values.end());
  std::inclusive_scan(expected.begin(), expected.end(), expected.begin());
  EXPECT_EQ(oracle::to_host(wide), expected);
  EXPECT_EQ(upsweep::reduce<std::int64_t>(space, in), expected.back());
  upsweep::exclusive_scan(space, wide, wide);
  std::exclusive_scan(expected.begin(), expected.end(), expected.begin(), std::int64_t(0));
  EXPECT_EQ(oracle::to_host(wide), expected);
}

TEST(scan, floating_point_is_the_same_in_each_run) {
  oracle::space const space;
  std::vector<double> values(1 << 20);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 / double(i + 1);
  auto const in = oracle::to_device(values);
  Kokkos::View<double*, oracle::memory> const out("out", values.size());
  upsweep::inclusive_scan(space, in, out);
  auto const first = oracle::to_host(out);
  for (int run = 0; run < 10; ++run) {
    upsweep::inclusive_scan(space, in, out);
    ASSERT_EQ(oracle::to_host(out), first);
  }
  EXPECT_NEAR(first.back(), 14.440159752937, 1e-9);  // the harmonic number H(2^20)
}

TEST(scan, the_workspace_is_of_the_instance_where_there_are_no_elements_too) {
  if constexpr (oracle::has_instances<oracle::space>) {
    auto const instances = oracle::instances<oracle::space>(2);
    upsweep::workspace ws(instances[0]);
    int total = 7;
    for (std::size_t const n : {0, 3}) {
      Kokkos::View<int*, oracle::memory> const in("in", n), out("out", n);
      EXPECT_THROW(upsweep::exclusive_scan(instances[1], in, out, upsweep::into{total}, {.workspace = &ws}),
                   upsweep::precondition_error)
          << n;
    }
    EXPECT_EQ(total, 7);
  }
}

TEST(scan, wrong_arguments_name_the_values) {
  oracle::space const space;
  Kokkos::View<int*, oracle::memory> const a("a", 10), b("b", 9);
  try {
    upsweep::exclusive_scan(space, a, b);
    FAIL() << "extents differ, nothing thrown";
  } catch (upsweep::precondition_error const& e) {
    EXPECT_EQ(std::string(e.what()), "exclusive_scan: input has 10 elements, output has 9");
  }
  auto const left = Kokkos::subview(a, std::make_pair(0, 6)), right = Kokkos::subview(a, std::make_pair(3, 9));
  EXPECT_THROW(upsweep::inclusive_scan(space, left, right), upsweep::precondition_error);
  Kokkos::View<int*, oracle::memory> const none;
  EXPECT_NO_THROW(upsweep::exclusive_scan(space, none, none));
  EXPECT_EQ(upsweep::reduce(space, none), 0);
  EXPECT_EQ(upsweep::reduce(space, none, upsweep::times<>{}), 1);
}

}  // namespace
