// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What may be left out between output and options: each call without a monoid, with options in braces, with an initial
// value or a total alone. tests/compile_fail has the mistakes.

#include "../oracle/views.hpp"

#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/batched_scan.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/exclusive_scan_for_each.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan_for_each.hpp>
#include <upsweep/scan/reduce.hpp>
#include <upsweep/scan/scan_by_key.hpp>
#include <upsweep/scan/segmented_reduce.hpp>
#include <upsweep/scan/segmented_scan.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace {

using upsweep::from;
using upsweep::into;
using upsweep::max;
using upsweep::plus;
using numbers = std::vector<int>;

/// 4 3 7, a place for results, and a View of rank 0 with 10 in it.
struct first_calls : testing::Test {
  oracle::space const space;
  upsweep::workspace ws{space};
  Kokkos::View<int*, oracle::memory> const in = oracle::to_device<int>({4, 3, 7});
  Kokkos::View<int*, oracle::memory> const out{"out", 3};
  Kokkos::View<int, oracle::memory> const ten{"ten"}, total{"total"};

  void SetUp() override { Kokkos::deep_copy(ten, 10); }
  numbers result() const {
    space.fence();
    return oracle::to_host(out);
  }
  int total_on_device() const {
    space.fence();
    int found = 0;
    Kokkos::deep_copy(found, total);
    return found;
  }
};

TEST_F(first_calls, initial_values_need_no_monoid) {
  upsweep::exclusive_scan(space, in, out, 0);
  EXPECT_EQ(result(), (numbers{0, 4, 7}));
  upsweep::exclusive_scan(space, in, out, 10);
  EXPECT_EQ(result(), (numbers{10, 14, 17}));
  upsweep::exclusive_scan(space, in, out, 10, {.workspace = &ws});
  EXPECT_EQ(result(), (numbers{10, 14, 17}));
  upsweep::inclusive_scan(space, in, out, from{ten}, {.workspace = &ws});
  EXPECT_EQ(result(), (numbers{14, 17, 24}));
  upsweep::exclusive_scan(space, in, out, from{ten}, max<>{});
  EXPECT_EQ(result(), (numbers{10, 10, 10}));
}

TEST_F(first_calls, options_need_no_monoid) {
  upsweep::exclusive_scan(space, in, out, {.workspace = &ws});
  EXPECT_EQ(result(), (numbers{0, 4, 7}));
  upsweep::scan_options const options{.workspace = &ws};
  upsweep::inclusive_scan(space, in, out, options);
  EXPECT_EQ(result(), (numbers{4, 7, 14}));
  upsweep::inclusive_scan(space, in, out, upsweep::basic_scan_options<upsweep::engine::two_level>{});
  EXPECT_EQ(result(), (numbers{4, 7, 14}));
}

TEST_F(first_calls, a_variable_is_an_initial_value_without_its_mark) {
  int variable = 10;
  upsweep::exclusive_scan(space, in, out, variable);
  EXPECT_EQ(result(), (numbers{10, 14, 17}));
  EXPECT_EQ(variable, 10);
}

TEST_F(first_calls, totals_need_no_initial_value) {
  int here = 0;
  upsweep::exclusive_scan(space, in, out, into{here});
  EXPECT_EQ(result(), (numbers{0, 4, 7}));
  EXPECT_EQ(here, 14);
  upsweep::inclusive_scan(space, in, out, into{total}, {.workspace = &ws});
  EXPECT_EQ(total_on_device(), 14);
  upsweep::inclusive_scan(space, in, out, into{total}, max<>{});
  EXPECT_EQ(total_on_device(), 7);
  upsweep::exclusive_scan(space, in, out, into{here}, 10);
  EXPECT_EQ(here, 24);
  upsweep::exclusive_scan(space, in, out, into{total}, from{ten}, plus<>{}, {.workspace = &ws});
  EXPECT_EQ(total_on_device(), 24);
  Kokkos::View<int*, oracle::memory> const none;
  upsweep::exclusive_scan(space, none, none, into{here});
  EXPECT_EQ(here, 0);
  upsweep::exclusive_scan(space, none, none, into{total}, from{ten});
  EXPECT_EQ(total_on_device(), 10);
  EXPECT_THROW(upsweep::exclusive_scan(space, in, out, into{ten}, from{ten}), upsweep::precondition_error);
}

/// Keeps the prefixes.
struct keep {
  Kokkos::View<int*, oracle::memory> at;
  KOKKOS_FUNCTION void operator()(std::size_t i, int prefix, int) const { at(i) = prefix; }
};
struct odd_numbers {
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return 2 * int(i) + 1; }
};

TEST_F(first_calls, functors_take_results) {
  int here = 0;
  upsweep::exclusive_scan_for_each(space, in, keep{out}, 10);
  EXPECT_EQ(result(), (numbers{10, 14, 17}));
  upsweep::inclusive_scan_for_each(space, in, keep{out}, {.workspace = &ws});
  EXPECT_EQ(result(), (numbers{4, 7, 14}));
  upsweep::exclusive_scan_for_each(space, in, keep{out}, into{here});
  EXPECT_EQ(here, 14);
  upsweep::exclusive_scan_for_each(space, 3, odd_numbers{}, keep{out}, into{here}, {.workspace = &ws});
  EXPECT_EQ(result(), (numbers{0, 1, 4}));
  EXPECT_EQ(here, 9);
  upsweep::inclusive_scan_for_each(space, 3, odd_numbers{}, keep{out}, into{here}, from{ten}, max<>{});
  EXPECT_EQ(result(), (numbers{10, 10, 10}));
  EXPECT_THROW(upsweep::inclusive_scan_for_each(space, -1, odd_numbers{}, keep{out}), upsweep::precondition_error);
}

TEST_F(first_calls, reductions_go_into_views_and_variables) {
  EXPECT_EQ(upsweep::reduce(space, in, {.workspace = &ws}), 14);
  EXPECT_EQ(upsweep::reduce(space, 3, odd_numbers{}, {.workspace = &ws}), 9);
  int here = 0;
  upsweep::reduce(space, in, into{here});
  EXPECT_EQ(here, 14);
  upsweep::reduce(space, 3, odd_numbers{}, into{total}, max<>{}, {.workspace = &ws});
  EXPECT_EQ(total_on_device(), 5);
  double wide = 0;
  upsweep::reduce(space, in, into{wide});
  EXPECT_EQ(wide, 14);
  EXPECT_THROW(upsweep::reduce(space, -1, odd_numbers{}), upsweep::precondition_error);
}

TEST_F(first_calls, segments_keys_and_rows_need_no_monoid) {
  auto const flags = oracle::to_device<int>({1, 0, 1});
  upsweep::segmented_inclusive_scan(space, in, upsweep::head_flags{flags}, out, {.workspace = &ws});
  EXPECT_EQ(result(), (numbers{4, 7, 7}));
  auto const offsets = oracle::to_device<int>({0, 1, 3});
  upsweep::segmented_exclusive_scan(space, in, upsweep::segment_offsets{offsets}, out, {.workspace = &ws});
  EXPECT_EQ(result(), (numbers{0, 0, 3}));
  upsweep::inclusive_scan_by_key(space, flags, in, out, {.workspace = &ws});
  EXPECT_EQ(result(), (numbers{4, 3, 7}));
  Kokkos::View<int*, oracle::memory> const sums("sums", 2);
  upsweep::segmented_reduce(space, in, upsweep::segment_offsets{offsets}, sums, {.workspace = &ws});
  space.fence();
  EXPECT_EQ(oracle::to_host(sums), (numbers{4, 10}));
  Kokkos::View<int**, Kokkos::LayoutRight, oracle::memory> const row(in.data(), 1, 3), row_out(out.data(), 1, 3);
  upsweep::batched_exclusive_scan(space, row, row_out, {.workspace = &ws});
  EXPECT_EQ(result(), (numbers{0, 4, 7}));
  Kokkos::View<int*, oracle::memory> const all_offsets("all_offsets", 4);
  std::size_t count = 0;
  upsweep::counts_to_offsets(space, in, all_offsets, into{count}, {.workspace = &ws});
  EXPECT_EQ(count, 14u);
  EXPECT_EQ(oracle::to_host(all_offsets), (numbers{0, 4, 7, 14}));
}

/// x -> a x + b, which is its own monoid: what comes first is applied first.
struct affine {
  using value_type = affine;
  int a = 1, b = 0;
  KOKKOS_FUNCTION affine identity() const { return {}; }
  KOKKOS_FUNCTION affine operator()(affine const& l, affine const& r) const { return {l.a * r.a, r.a * l.b + r.b}; }
  friend bool operator==(affine const&, affine const&) = default;
};

// The last monoid is the operation, one in front of it the initial value.
TEST(calls_with_states_that_are_monoids, take_initial_value_and_total) {
  oracle::space const space;
  auto const in = oracle::to_device(std::vector<affine>{{2, 1}, {3, 0}});
  Kokkos::View<affine*, oracle::memory> const out("out", 2);
  affine total;
  upsweep::exclusive_scan(space, in, out, into{total}, affine{5, 7}, affine{});
  EXPECT_EQ(oracle::to_host(out), (std::vector<affine>{{5, 7}, {10, 15}}));
  EXPECT_EQ(total, (affine{30, 45}));
  upsweep::inclusive_scan(space, in, out, affine{});
  EXPECT_EQ(oracle::to_host(out), (std::vector<affine>{{2, 1}, {6, 3}}));
}

}  // namespace
