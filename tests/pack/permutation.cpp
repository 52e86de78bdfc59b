// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Many Views in the order of one key: sort_permutation, then permute or permute_in_place for each View.

#include "../oracle/message_of.hpp"
#include "sort.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/pack/permute.hpp>
#include <upsweep/pack/sort_permutation.hpp>

#include <array>
#include <string>

namespace {

using oracle::memory;
using oracle::space;
using sorted::pattern;

std::vector<std::size_t> sizes() { return {0, 1, 2, 3, 80, 81, 257, 16385, 100003}; }

template <class Index, class Key>
std::vector<std::size_t> found_order(std::vector<Key> const& keys, upsweep::sort_options const& options) {
  auto const device_keys = oracle::to_device(keys);
  Kokkos::View<Index*, memory> const permutation("permutation", keys.size());
  upsweep::sort_permutation(space{}, Kokkos::View<Key const*, memory>(device_keys), permutation, options);
  EXPECT_TRUE(sorted::same_bits(oracle::to_host(device_keys), keys)) << "keys stay as they are";
  auto const found = oracle::to_host(permutation);
  return {found.begin(), found.end()};
}

template <class Key>
class sort_permutation : public testing::Test {};
using key_types = testing::Types<std::int8_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(sort_permutation, key_types);

TYPED_TEST(sort_permutation, is_that_of_a_stable_sort) {
  upsweep::workspace ws{space{}};
  for (std::size_t n : sizes())
    for (auto which : {pattern::random, pattern::few, pattern::equal}) {
      auto const keys = sorted::make_keys<TypeParam>(n, which);
      EXPECT_EQ(found_order<int>(keys, {}), sorted::order_of(keys)) << n;
      EXPECT_EQ(found_order<std::size_t>(keys, {.workspace = &ws, .order = upsweep::sort_order::descending}),
                sorted::order_of(keys, true))
          << n;
      EXPECT_EQ(found_order<int>(keys, {.first_bit = 2, .last_bit = 7}), sorted::order_of(keys, false, 2, 7)) << n;
      EXPECT_EQ(found_order<int>(keys, {.first_bit = 5, .last_bit = 5}), sorted::order_of(keys, false, 5, 5)) << n;
    }
}

struct remainder_of {
  int divisor;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return int(i * 7919 % std::size_t(divisor)); }
};

TEST(permutations, of_keys_that_a_functor_computes_or_that_are_strided) {
  for (std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(50), std::size_t(70001)}) {
    std::vector<int> keys(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = remainder_of{100}(i);
    Kokkos::View<std::uint32_t*, memory> const permutation("permutation", n);
    upsweep::sort_permutation(space{}, n, remainder_of{100}, permutation);
    auto const expected = sorted::order_of(keys);
    auto found = oracle::to_host(permutation);
    ASSERT_EQ(std::vector<std::size_t>(found.begin(), found.end()), expected) << n;
    Kokkos::View<int* [3], Kokkos::LayoutRight, memory> const table("table", n);
    auto const column = Kokkos::subview(table, Kokkos::ALL, 1);
    Kokkos::deep_copy(column, oracle::to_device(keys));
    Kokkos::deep_copy(permutation, 7u);
    upsweep::sort_permutation(space{}, column, permutation);
    found = oracle::to_host(permutation);
    ASSERT_EQ(std::vector<std::size_t>(found.begin(), found.end()), expected) << n;
  }
}

template <std::size_t Bytes>
struct record {
  std::array<unsigned char, Bytes> bytes;
};

template <class T>
T numbered(std::size_t row, std::size_t column) {
  T value{};
  std::uint32_t const number = static_cast<std::uint32_t>(row * 17 + column);
  std::memcpy(static_cast<void*>(&value), &number, std::min(sizeof(number), sizeof(T)));
  return value;
}

template <class View>
auto column_count(View const& view) {
  if constexpr (View::rank == 1) return std::size_t(1);
  else return view.extent(1);
}
template <class View>
auto& element(View const& view, std::size_t row, std::size_t column) {
  if constexpr (View::rank == 1) return view(row);
  else return view(row, column);
}

/// Row i is as numbered.
template <class View>
void number(View const& view) {
  oracle::host_copy<View> const host(view);
  for (std::size_t i = 0; i < view.extent(0); ++i)
    for (std::size_t c = 0; c < column_count(view); ++c)
      element(host.view(), i, c) = numbered<typename View::value_type>(i, c);
  host.write();
}

/// Row i is what row order[i] of a numbered View was.
template <class View>
void expect_permuted(View const& view, std::vector<std::size_t> const& order, char const* what) {
  oracle::host_copy<View> const host(view);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t c = 0; c < column_count(view); ++c) {
      auto const expected = numbered<typename View::value_type>(order[i], c);
      wrong +=
          std::memcmp(static_cast<void const*>(&element(host.view(), i, c)), &expected, sizeof(expected)) != 0 ? 1 : 0;
    }
  EXPECT_EQ(wrong, 0u) << what << ", " << order.size() << " rows";
}

template <class View, class Permutation>
void check(View const& view, Permutation const& permutation, std::vector<std::size_t> const& order, char const* what) {
  upsweep::workspace ws{space{}};
  number(view);
  upsweep::permute_in_place(space{}, permutation, view, {.workspace = &ws, .label = "mine"});
  ws.check(space{});
  expect_permuted(view, order, what);
  number(view);
  upsweep::permute_in_place(space{}, permutation, view);
  expect_permuted(view, order, what);
  number(view);
  auto const out = Kokkos::create_mirror(memory{}, view);
  upsweep::permute(space{}, permutation, view, out, {.workspace = &ws});
  expect_permuted(out, order, what);
  std::vector<std::size_t> untouched(order.size());
  std::iota(untouched.begin(), untouched.end(), std::size_t(0));
  expect_permuted(view, untouched, "the input");
}

TEST(permutations, bring_views_of_any_kind_into_their_order) {
  for (std::size_t n : sizes()) {
    auto const order = sorted::order_of(sorted::make_keys<std::int16_t>(n));
    auto const permutation = oracle::to_device(std::vector<std::int64_t>(order.begin(), order.end()));
    check(Kokkos::View<double*, memory>("view", n), permutation, order, "double");
    check(Kokkos::View<std::int8_t*, memory>("view", n), permutation, order, "int8");
    check(Kokkos::View<record<12>*, memory>("view", n), permutation, order, "12 bytes");
    check(Kokkos::View<record<200>*, memory>("view", n), permutation, order, "200 bytes");
    check(Kokkos::View<double* [3], Kokkos::LayoutLeft, memory>("view", n), permutation, order, "left");
    check(Kokkos::View<double* [3], Kokkos::LayoutRight, memory>("view", n), permutation, order, "right");
    check(Kokkos::View<float**, Kokkos::LayoutLeft, memory>("view", n, 5), permutation, order, "5 columns, left");
    check(Kokkos::View<std::int16_t**, Kokkos::LayoutRight, memory>("view", n, 7), permutation, order, "7, right");
    check(Kokkos::View<float**, Kokkos::LayoutRight, memory>("view", n, 0), permutation, order, "no column");
    Kokkos::View<float** [2], Kokkos::LayoutRight, memory> const wide("wide", n, 3);
    auto const part = Kokkos::subview(wide, Kokkos::ALL, Kokkos::ALL, 1);
    number(part);
    upsweep::permute_in_place(space{}, permutation, part);
    expect_permuted(part, order, "strided");
  }
}

TEST(permutations, outside_of_a_part_nothing_changes) {
  std::size_t const n = 1000;
  auto const order = sorted::order_of(sorted::make_keys<std::int32_t>(n));
  auto const permutation = oracle::to_device(std::vector<int>(order.begin(), order.end()));
  std::vector<int> expected(n + 20, -1);
  auto const all = oracle::to_device(expected);
  auto const part = Kokkos::subview(all, std::pair(std::size_t(7), n + 7));
  number(part);
  upsweep::permute_in_place(space{}, permutation, part);
  for (std::size_t i = 0; i < n; ++i) expected[i + 7] = numbered<int>(order[i], 0);
  EXPECT_EQ(oracle::to_host(all), expected);
}

TEST(permutations, permute_takes_rows_as_often_as_they_are_asked_for) {
  auto const in = oracle::to_device<int>({10, 20, 30});
  Kokkos::View<double*, memory> const out("out", 5);
  upsweep::permute(space{}, oracle::to_device<std::int8_t>({2, 2, 0, 1, 2}), in, out);
  EXPECT_EQ(oracle::to_host(out), (std::vector<double>{30, 30, 10, 20, 30}));
}

TEST(permutations, indices_that_are_no_rows_are_named) {
  space const s;
  auto const wrong = oracle::to_device<int>({1, 0, 3, -1});
  auto const in = oracle::to_device<int>({5, 6, 7});
  auto const in_out = oracle::to_device<int>({5, 6, 7, 8});
  Kokkos::View<int*, memory> const out("out", 4);
  Kokkos::deep_copy(out, 9);
  EXPECT_EQ(oracle::message_of<upsweep::precondition_error>([&] { upsweep::permute(s, wrong, in, out); }),
            "permute: permutation(2) is no row");
  EXPECT_EQ(oracle::to_host(out), (std::vector<int>{6, 5, 9, 9}));
  // Both report in one word of a workspace, under one name.
  EXPECT_EQ(oracle::message_of<upsweep::precondition_error>([&] { upsweep::permute_in_place(s, wrong, in_out); }),
            "permute: permutation(3) is no row");
  EXPECT_EQ(oracle::to_host(in_out), (std::vector<int>{6, 5, 8, 8}));
  upsweep::workspace ws(s);
  upsweep::permute_in_place(s, wrong, in_out, {.workspace = &ws});
  EXPECT_EQ(oracle::message_of<upsweep::precondition_error>([&] { ws.check(s); }), "permute: permutation(3) is no row");
}

TEST(permutations, an_index_that_is_no_row_stops_no_other_row) {
  // Rows between right ones, at each place among neighbours that a thread of a CPU takes together.
  space const s;
  for (int wrong : {0, 3, 7, 8, 12, 19})
    for (int index : {-1, 20}) {
      std::vector<int> order(20), expected(20);
      for (int i = 0; i < 20; ++i) order[std::size_t(i)] = 19 - i, expected[std::size_t(i)] = 10 * (19 - i);
      order[std::size_t(wrong)] = index;
      expected[std::size_t(wrong)] = 9;
      std::vector<int> rows(20);
      for (int i = 0; i < 20; ++i) rows[std::size_t(i)] = 10 * i;
      Kokkos::View<int*, memory> const out("out", 20);
      Kokkos::deep_copy(out, 9);
      upsweep::workspace ws(s);
      upsweep::permute(s, oracle::to_device(order), oracle::to_device(rows), out, {.workspace = &ws});
      EXPECT_EQ(oracle::message_of<upsweep::precondition_error>([&] { ws.check(s); }),
                "permute: permutation(" + std::to_string(wrong) + ") is no row");
      EXPECT_EQ(oracle::to_host(out), expected) << wrong;
    }
}

/// A negative index of few bits, as an unsigned number, is one of a row where there are many.
template <class Index>
void expect_negative_to_be_refused() {
  std::vector<Index> order(16);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  order[3] = -1;
  std::vector<int> const rows(70000, 5);
  std::vector<int> expected(order.size(), 5);
  expected[3] = -7;
  Kokkos::View<int*, memory> const out("out", order.size());
  Kokkos::deep_copy(out, -7);
  EXPECT_EQ(oracle::message_of<upsweep::precondition_error>(
                [&] { upsweep::permute(space{}, oracle::to_device(order), oracle::to_device(rows), out); }),
            "permute: permutation(3) is no row");
  EXPECT_EQ(oracle::to_host(out), expected);
}
TEST(permutations, negative_indices_of_few_bits_are_refused) {
  expect_negative_to_be_refused<std::int8_t>();
  expect_negative_to_be_refused<std::int16_t>();
  expect_negative_to_be_refused<std::int32_t>();
}

TEST(permutations, wrong_arguments_are_refused) {
  space const s;
  using upsweep::precondition_error;
  Kokkos::View<int*, memory> const four("four", 4), five("five", 5), order("order", 4);
  Kokkos::View<double* [3], memory> const table("table", 4);
  Kokkos::View<double* [2], memory> const narrow("narrow", 4);
  Kokkos::View<std::int8_t*, memory> const small("small", 129);
  Kokkos::View<int*, memory> const many("many", 129);
  EXPECT_EQ(oracle::message_of<precondition_error>([&] { upsweep::sort_permutation(s, five, order); }),
            "sort_permutation: keys has 5 elements, permutation has 4");
  EXPECT_EQ(oracle::message_of<precondition_error>([&] { upsweep::sort_permutation(s, 5, remainder_of{3}, order); }),
            "sort_permutation: keys has 5 elements, permutation has 4");
  EXPECT_EQ(oracle::message_of<precondition_error>([&] { upsweep::sort_permutation(s, -1, remainder_of{3}, order); }),
            "sort_permutation: n = -1 is negative");
  EXPECT_EQ(oracle::message_of<precondition_error>([&] {
              upsweep::sort_permutation(s, order, order);
            }).find("overlap") != std::string::npos,
            true);
  EXPECT_NE(oracle::message_of<precondition_error>([&] {
              upsweep::sort_permutation(s, four, order, {.last_bit = 33});
            }).find("of the 32 bits of a key"),
            std::string::npos);
  EXPECT_EQ(oracle::message_of<upsweep::overflow_error>([&] { upsweep::sort_permutation(s, many, small); }),
            "sort_permutation: the last index = 128 does not fit in 8 bits");
  EXPECT_EQ(oracle::message_of<precondition_error>([&] { upsweep::permute_in_place(s, order, five); }),
            "permute_in_place: permutation has 4 elements, in_out has 5");
  EXPECT_EQ(oracle::message_of<precondition_error>([&] { upsweep::permute(s, order, five, five); }),
            "permute: permutation has 4 elements, out has 5");
  EXPECT_EQ(oracle::message_of<precondition_error>([&] { upsweep::permute(s, order, table, narrow); }),
            "permute: in has 3 columns, out has 2");
  EXPECT_NE(oracle::message_of<precondition_error>([&] { upsweep::permute_in_place(s, order, order); }).find("overlap"),
            std::string::npos);
  EXPECT_NE(oracle::message_of<precondition_error>([&] { upsweep::permute(s, order, four, four); }).find("overlap"),
            std::string::npos);
}

}  // namespace
