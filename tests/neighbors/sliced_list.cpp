// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../contracts/tools.hpp"
#include "../oracle/message_of.hpp"
#include "rows.hpp"

#include <upsweep/neighbors/sliced_list.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace {

using oracle::message_of;
using oracle::rows_of;

/// Everything that a sliced list must be for rows at given places.
template <class List>
void check(List const& list, rows_of const& expected, std::vector<int> order, std::int64_t padding = -1) {
  constexpr int S = List::view_type::slice_rows;
  std::size_t const n = expected.size();
  if (order.empty()) {
    order.resize(n);
    std::iota(order.begin(), order.end(), 0);
  }
  auto const v = list.view();
  ASSERT_EQ(v.rows, n);
  std::size_t const slices = v.slices();
  ASSERT_EQ(slices, (n + S - 1) / S);
  auto const starts = oracle::to_host(Kokkos::View<std::size_t const*, oracle::memory>(v.slice_starts, slices + 1));
  auto const lengths = oracle::to_host(Kokkos::View<std::uint32_t const*, oracle::memory>(v.lengths, slices * S));
  auto const entries =
      oracle::to_host(Kokkos::View<typename List::index_type const*, oracle::memory>(v.neighbors, starts.back()));
  ASSERT_EQ(list.last_plan().entries, starts.back());
  std::size_t pairs = 0, largest = 0;
  for (std::size_t s = 0; s < slices; ++s) {
    std::size_t longest = 0;
    for (std::size_t p = s * S; p < std::min(n, (s + 1) * S); ++p)
      longest = std::max(longest, expected[std::size_t(order[p])].size());
    ASSERT_EQ(starts[s + 1] - starts[s], longest * S) << "slice " << s;
    for (std::size_t p = s * S; p < (s + 1) * S; ++p) {
      auto const row = p < n ? expected[std::size_t(order[p])] : std::vector<int>{};
      ASSERT_EQ(lengths[p], row.size()) << "place " << p;
      pairs += row.size();
      largest = std::max(largest, row.size());
      for (std::size_t k = 0; k < longest; ++k) {
        auto const filler = padding >= 0 ? padding : row.empty() ? 0 : std::int64_t(row.back());
        ASSERT_EQ(std::int64_t(entries[starts[s] + k * S + p % S]), k < row.size() ? std::int64_t(row[k]) : filler)
            << "place " << p << ", entry " << k;
      }
    }
  }
  EXPECT_EQ(list.pairs(), pairs);
  EXPECT_EQ(list.largest_row(), largest);
  if (v.order == nullptr) return;
  auto const found = oracle::to_host(Kokkos::View<int const*, oracle::memory>(v.order, n));
  auto const places = oracle::to_host(Kokkos::View<int const*, oracle::memory>(v.places, n));
  EXPECT_EQ(found, order);
  for (std::size_t p = 0; p < n; ++p) ASSERT_EQ(places[std::size_t(order[p])], int(p));
}

/// By length within windows of places, longest first, equal ones in their order.
std::vector<int> windowed(rows_of const& rows, std::vector<int> order, std::size_t window) {
  for (std::size_t begin = 0; begin < order.size(); begin += window)
    std::stable_sort(order.begin() + std::ptrdiff_t(begin),
                     order.begin() + std::ptrdiff_t(std::min(begin + window, order.size())),
                     [&](int a, int b) { return rows[std::size_t(a)].size() > rows[std::size_t(b)].size(); });
  return order;
}

template <int S>
void every_order(rows_of const& rows) {
  auto const crs = oracle::to_crs<std::size_t, int>(rows);
  check(upsweep::sliced_list<oracle::space, int, S>(oracle::space{}, crs.offsets, crs.neighbors), rows, {});
  std::vector<int> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t window : {std::size_t(2), std::size_t(37), std::size_t(1) << 40}) {
    check(upsweep::sliced_list<oracle::space, int, S>(oracle::space{}, crs.offsets, crs.neighbors,
                                                      {.sort_window = window}),
          rows, rows.empty() ? order : windowed(rows, order, std::min(window, rows.size())));
  }
  std::reverse(order.begin(), order.end());
  auto const given = oracle::to_device(order);
  check(upsweep::sliced_list<oracle::space, int, S>(oracle::space{}, crs.offsets, crs.neighbors, {.order = given}),
        rows, order);
  check(upsweep::sliced_list<oracle::space, int, S>(oracle::space{}, crs.offsets, crs.neighbors,
                                                    {.order = given, .sort_window = 64}),
        rows, windowed(rows, order, 64));
}

TEST(sliced_list, sizes_slices_and_orders) {
  for (std::size_t n : {0, 1, 7, 8, 9, 32, 33, 1000}) {
    rows_of const rows = oracle::random_rows(n, 0, 40);
    every_order<8>(rows);
    every_order<5>(rows);
  }
  every_order<8>(rows_of(100));  // no neighbours at all
  rows_of one(100);
  one[57] = oracle::random_rows(1, 3000, 3000)[0];
  every_order<8>(one);
}

TEST(sliced_list, the_example_of_its_documentation) {
  auto const crs = oracle::to_crs<std::size_t, int>({{1, 2, 3}, {4}});
  upsweep::sliced_list<oracle::space, int, 2> const list(oracle::space{}, crs.offsets, crs.neighbors);
  EXPECT_EQ(oracle::to_host(Kokkos::View<int const*, oracle::memory>(list.view().neighbors, 6)),
            (std::vector<int>{1, 4, 2, 4, 3, 4}));
}

template <class Offset, class Neighbor, class Index>
void integer_types() {
  rows_of const rows = oracle::random_rows(300, 0, 20, 100);
  auto const crs = oracle::to_crs<Offset, Neighbor>(rows);
  check(upsweep::sliced_list<oracle::space, Index, 8>(oracle::space{}, crs.offsets, crs.neighbors), rows, {});
}

TEST(sliced_list, integers_of_any_width_and_strided_views) {
  integer_types<std::int64_t, std::int64_t, int>();
  integer_types<std::uint16_t, std::int8_t, std::int64_t>();
  rows_of const rows = oracle::random_rows(300, 0, 20);
  auto const crs = oracle::to_crs<int, int>(rows);
  Kokkos::View<int**, Kokkos::LayoutRight, oracle::memory> const offsets("offsets", 301, 3),
      neighbors("neighbors", crs.neighbors.extent(0), 2);
  Kokkos::deep_copy(Kokkos::subview(offsets, Kokkos::ALL, 1), crs.offsets);
  Kokkos::deep_copy(Kokkos::subview(neighbors, Kokkos::ALL, 1), crs.neighbors);
  check(upsweep::sliced_list<oracle::space, int, 8>(oracle::space{}, Kokkos::subview(offsets, Kokkos::ALL, 1),
                                                    Kokkos::subview(neighbors, Kokkos::ALL, 1)),
        rows, {});
  // Some rows of a list are a list, too: their first offset is not 0.
  check(upsweep::sliced_list<oracle::space, int, 8>(
            oracle::space{}, Kokkos::subview(crs.offsets, Kokkos::make_pair(100, 201)), crs.neighbors),
        rows_of(rows.begin() + 100, rows.begin() + 200), {});
}

TEST(sliced_list, padding_may_be_an_index) {
  rows_of const rows = oracle::random_rows(50, 0, 9);
  auto const crs = oracle::to_crs<std::size_t, int>(rows);
  check(upsweep::sliced_list<oracle::space, int, 8>(oracle::space{}, crs.offsets, crs.neighbors, {.padding = 77}), rows,
        {}, 77);
}

TEST(sliced_list, rebuilt_in_place_when_it_fits) {
  rows_of const large = oracle::random_rows(900, 20, 40), small = oracle::random_rows(700, 0, 20);
  auto const a = oracle::to_crs<std::size_t, int>(large), b = oracle::to_crs<std::size_t, int>(small);
  oracle::space const space;
  upsweep::sliced_list<oracle::space> list(space, {.sort_window = 128});
  list.update(space, a.offsets, a.neighbors);
  auto const memory = list.view().neighbors;
  auto const bytes = list.last_plan().bytes();
  for (auto const* next : {&b, &a}) {
    contracts::recorder const seen;
    list.update(space, next->offsets, next->neighbors);
    EXPECT_TRUE(contracts::recorder::allocations().empty()) << contracts::recorder::allocations().front();
  }
  EXPECT_EQ(list.view().neighbors, memory);
  EXPECT_GE(list.last_plan().bytes(), bytes);
  std::vector<int> order(large.size());
  std::iota(order.begin(), order.end(), 0);
  check(list, large, windowed(large, order, 128));
}

TEST(sliced_list, plan_says_what_it_takes_before_it_is_taken) {
  rows_of const rows = oracle::random_rows(1000, 0, 30);
  auto const crs = oracle::to_crs<std::size_t, int>(rows);
  oracle::space const space;
  upsweep::sliced_list<oracle::space, int, 8> list(space);
  std::size_t planned = 0;
  {
    contracts::recorder const seen;
    auto const plan = list.plan(space, crs.offsets, crs.neighbors);
    for (auto const& text : contracts::recorder::allocations())
      EXPECT_EQ(text.find("::neighbors"), std::string::npos) << text;
    EXPECT_EQ(plan.list_bytes, 4 * plan.entries + 4 * 1000 + 8 * 126);
    planned = plan.entries;
  }
  EXPECT_THROW(list.view(), upsweep::precondition_error);
  {
    contracts::recorder const seen;
    list.emit(space, crs.offsets, crs.neighbors);
    ASSERT_EQ(contracts::recorder::allocations().size(), 1u);
    EXPECT_EQ(contracts::recorder::allocations().front(),
              "upsweep::sliced_list::neighbors, bytes: " + std::to_string(4 * planned));
  }
  check(list, rows, {});
  EXPECT_THROW(list.emit(space, crs.offsets, crs.neighbors), upsweep::precondition_error);
}

std::string offsets_message(std::vector<std::int64_t> const& offsets) {
  auto const neighbors = oracle::to_device(std::vector<int>(10, 3));
  return message_of(
      [&] { upsweep::sliced_list<oracle::space>(oracle::space{}, oracle::to_device(offsets), neighbors); });
}

TEST(sliced_list, wrong_offsets_are_named) {
  EXPECT_EQ(offsets_message({0, 4, 4, 10}), "nothing thrown");
  EXPECT_NE(offsets_message({0, 4, 3, 10}).find("offsets(1) or the one behind"), std::string::npos);
  EXPECT_NE(offsets_message({0, 4, 11}).find("offsets(1)"), std::string::npos);
  EXPECT_NE(offsets_message({-1, 4, 10}).find("offsets(0)"), std::string::npos);
  EXPECT_NE(offsets_message({}).find("offsets has no entries"), std::string::npos);
  EXPECT_NE(offsets_message({0, std::int64_t(1) << 62, 10}).find("offsets(0)"), std::string::npos);
}

// So many rows that several threads measure them, in a list that has no memory yet.
TEST(sliced_list, a_wrong_offset_among_many_rows_is_named) {
  oracle::space const space;
  for (std::size_t rows : {600u, 2000u, 50000u}) {
    std::vector<std::int64_t> host(rows + 1, 0);
    host[rows / 2] = 3;
    auto const offsets = oracle::to_device(host);
    Kokkos::View<int*, oracle::memory> const neighbors("neighbors", 3);
    try {
      upsweep::sliced_list<oracle::space> const list(space, offsets, neighbors);
      FAIL() << rows << " rows: nothing thrown";
    } catch (upsweep::precondition_error const& e) {
      EXPECT_NE(std::string(e.what()).find(std::to_string(rows / 2)), std::string::npos) << e.what();
    }
  }
}

TEST(sliced_list, wrong_orders_are_named) {
  auto const crs = oracle::to_crs<std::size_t, int>(oracle::random_rows(5, 1, 3));
  auto const build = [&](std::vector<int> const& order) {
    auto const given = oracle::to_device(order);
    return message_of(
        [&] { upsweep::sliced_list<oracle::space>(oracle::space{}, crs.offsets, crs.neighbors, {.order = given}); });
  };
  EXPECT_EQ(build({4, 3, 2, 1, 0}), "nothing thrown");
  EXPECT_NE(build({0, 1, 5, 3, 4}).find("order(2)"), std::string::npos);
  EXPECT_NE(build({0, 1, 2, -1, 4}).find("order(3)"), std::string::npos);
  EXPECT_NE(build({0, 1, 2, -1, 4}).find("is not the number of a row"), std::string::npos);
  EXPECT_NE(build({0, 1, 2}).find("order has 3 entries for 5 rows"), std::string::npos);
}

// A row that is twice hides another one, which totals of loops would not notice.
TEST(sliced_list, rows_in_an_order_twice_are_named) {
  std::size_t const n = 3000;
  auto const crs = oracle::to_crs<std::size_t, int>(oracle::random_rows(n, 1, 3));
  std::vector<int> order(n);
  std::iota(order.rbegin(), order.rend(), 0);
  order[7] = 400;
  order[2999] = 1000;
  auto const given = oracle::to_device(order);
  // The smallest row of those that are repeated, whichever of its places comes first in time.
  for (int run = 0; run < 5; ++run)
    EXPECT_EQ(message_of([&] {
                upsweep::sliced_list<oracle::space>(oracle::space{}, crs.offsets, crs.neighbors, {.order = given});
              }),
              "sliced_list: row 400 is in order more than once");
}

TEST(sliced_list, an_empty_order_is_given) {
  auto const crs = oracle::to_crs<std::size_t, int>(oracle::random_rows(5, 1, 3)),
             none = oracle::to_crs<std::size_t, int>({});
  Kokkos::View<int*, oracle::memory> const order;
  oracle::space const space;
  upsweep::sliced_list<oracle::space> list(space, {.order = order});
  EXPECT_EQ(message_of([&] { list.update(space, crs.offsets, crs.neighbors); }),
            "sliced_list: order has 0 entries for 5 rows");
  EXPECT_EQ(message_of([&] { list.update(space, none.offsets, none.neighbors); }), "nothing thrown");
}

TEST(sliced_list, images_count_if_they_are_given) {
  rows_of const rows = oracle::random_rows(20, 1, 3);
  auto const crs = oracle::to_crs<std::size_t, int>(rows);
  auto const memory = oracle::to_device(std::vector<upsweep::image>(9, upsweep::image(1, 1, 1)));
  auto const no_images = Kokkos::subview(memory, std::make_pair(0, 0));
  upsweep::sliced_list<oracle::space, int, 8> list(oracle::space{});
  EXPECT_THROW(list.update(oracle::space{}, crs.offsets, crs.neighbors, no_images), upsweep::precondition_error);
  list.update(oracle::space{}, crs.offsets, crs.neighbors);
  EXPECT_EQ(list.view().images, nullptr);
  check(list, rows, {});
  // Of a list without pairs there are none, and that is another list than one without images.
  auto const none = oracle::to_crs<std::size_t, int>(rows_of(20));
  list.update(oracle::space{}, none.offsets, none.neighbors, no_images);
  EXPECT_THROW(list.emit(oracle::space{}, none.offsets, none.neighbors), upsweep::precondition_error);
  list.plan(oracle::space{}, none.offsets, none.neighbors, no_images);
  EXPECT_THROW(list.emit(oracle::space{}, none.offsets, none.neighbors), upsweep::precondition_error);
  EXPECT_NO_THROW(list.emit(oracle::space{}, none.offsets, none.neighbors, no_images));
}

TEST(sliced_list, what_does_not_fit_or_changes_is_named) {
  oracle::space const space;
  auto const offsets = oracle::to_device<int>({0, 1, 3});
  auto const wide = oracle::to_device<std::int64_t>({1, 2, std::int64_t(1) << 33});
  EXPECT_THROW((upsweep::sliced_list<oracle::space, int>(space, offsets, wide)), upsweep::overflow_error);
  EXPECT_NO_THROW((upsweep::sliced_list<oracle::space, std::int64_t>(space, offsets, wide)));
  auto const negative = oracle::to_device<int>({1, 2, -1});
  EXPECT_THROW((upsweep::sliced_list<oracle::space, unsigned>(space, offsets, negative)), upsweep::overflow_error);
  EXPECT_THROW((upsweep::sliced_list<oracle::space>(space, offsets, negative, {.padding = std::int64_t(1) << 31})),
               upsweep::overflow_error);

  upsweep::sliced_list<oracle::space> list(space);
  EXPECT_THROW(list.emit(space, offsets, negative), upsweep::precondition_error);
  list.plan(space, offsets, negative);
  Kokkos::deep_copy(offsets, oracle::to_device<int>({0, 2, 3}));
  EXPECT_THROW(list.emit(space, offsets, negative), upsweep::count_mismatch_error);
  EXPECT_THROW(list.view(), upsweep::precondition_error);

  auto const images = oracle::to_device(std::vector<upsweep::image>(2, upsweep::image(0, 0, 0)));
  EXPECT_THROW(list.update(space, offsets, negative, images), upsweep::precondition_error);
}

}  // namespace
