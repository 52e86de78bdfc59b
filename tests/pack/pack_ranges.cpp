// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A list in pieces: rows_within and the emission of ranges of rows.

#include "ragged.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace {

/// The last row of a piece, by the definition.
std::size_t last_within(std::vector<std::size_t> const& offsets, std::size_t records, std::size_t first) {
  std::size_t last = first;
  while (last + 1 < offsets.size() && offsets[last + 1] - offsets[first] <= records) ++last;
  return last;
}

TEST(pack_ranges, rows_within_is_the_last_row_that_fits) {
  oracle::space const space;
  for (std::size_t n : {1u, 2u, 3u, 64u, 1000u})
    for (auto const& lengths : ragged::shapes(n)) {
      ragged::expectation<int> const expected(lengths);
      auto const plan = upsweep::count_lists<int>(space, n, ragged::of<int>(lengths));
      for (std::size_t first : {std::size_t(0), n / 3, n / 2, n - 1, n})
        for (std::size_t bytes : {0u, 3u, 4u, 5u, 799u, 800u, 10000u, 400000u, 1u << 30})
          ASSERT_EQ(plan.rows_within(space, bytes, first), last_within(expected.offsets, bytes / 4, first))
              << n << ' ' << first << ' ' << bytes;
      EXPECT_EQ(plan.rows_within(space, ~std::size_t(0)), n);
      EXPECT_THROW(plan.rows_within(space, 100, n + 1), upsweep::precondition_error);
    }
  EXPECT_EQ(upsweep::count_lists<int>(space, 0, ragged::of<int>({})).rows_within(space, 100), 0u);
  EXPECT_EQ(upsweep::list_plan<int>{}.rows_within(space, 100), 0u);
}

template <class T>
void check_pieces(std::vector<int> const& lengths, std::size_t bytes, upsweep::plan_options const& options) {
  oracle::space const space;
  auto const functor = ragged::of<T>(lengths);
  auto const plan = upsweep::count_lists<T>(space, lengths.size(), functor, options);
  std::vector<T> joined;
  T const guard = ragged::made<T>(-1, 1);
  for (std::size_t first = 0; first < plan.rows;) {
    std::size_t last = plan.rows_within(space, bytes, first);
    if (last == first) ++last;  // a row of more than `bytes` is a piece of its own
    std::size_t const records = std::size_t(
        std::accumulate(lengths.begin() + std::ptrdiff_t(first), lengths.begin() + std::ptrdiff_t(last), 0));
    auto const piece = oracle::to_device(std::vector<T>(records + 2, guard));
    auto const room = Kokkos::subview(piece, Kokkos::make_pair(std::size_t(1), records + 1));
    ASSERT_EQ(upsweep::emit_lists_into(space, plan, first, last, room, functor, options), records);
    auto const found = oracle::to_host(piece);
    ASSERT_EQ(found.front(), guard);
    ASSERT_EQ(found.back(), guard);
    joined.insert(joined.end(), found.begin() + 1, found.end() - 1);
    first = last;
  }
  ASSERT_EQ(joined, ragged::expectation<T>(lengths).values);
}

TEST(pack_ranges, pieces_make_the_whole_list) {
  upsweep::workspace ws{oracle::space{}};
  for (std::size_t n : {1u, 77u, 1000u})
    for (auto const& lengths : ragged::shapes(n))
      for (std::size_t bytes : {997u, 20011u, 1000003u}) {
        check_pieces<int>(lengths, bytes, {});
        check_pieces<ragged::record>(lengths, bytes, {.workspace = &ws});
        std::vector<int> visit{-1, int(n)};
        for (int i = int(n) - 1; i >= 0; --i) visit.push_back(i);
        auto const device = oracle::to_device(visit);
        check_pieces<int>(lengths, bytes, {.workspace = &ws, .visit = device});
      }
}

TEST(pack_ranges, bad_arguments) {
  oracle::space const space;
  std::vector<int> const lengths{2, 0, 3};
  auto const functor = ragged::of<int>(lengths);
  auto const plan = upsweep::count_lists<int>(space, 3, functor);
  Kokkos::View<int*, oracle::memory> const four("four", 4), none;
  EXPECT_THROW(upsweep::emit_lists_into(space, plan, 0, 3, four, functor), upsweep::precondition_error);
  EXPECT_THROW(upsweep::emit_lists_into(space, plan, 2, 1, four, functor), upsweep::precondition_error);
  EXPECT_THROW(upsweep::emit_lists_into(space, plan, 2, 4, four, functor), upsweep::precondition_error);
  EXPECT_EQ(upsweep::emit_lists_into(space, plan, 1, 3, four, functor), 3u);
  EXPECT_EQ(upsweep::emit_lists_into(space, plan, 1, 2, none, functor), 0u);
  EXPECT_EQ(upsweep::emit_lists_into(space, plan, 3, 3, none, functor), 0u);
  // Data that has changed since the plan: the row is named, and nothing leaves its slot.
  auto const longer = ragged::of<int>({2, 0, 4});
  oracle::fill(four, -7);
  try {
    upsweep::emit_lists_into(space, plan, 1, 3, four, longer);
    FAIL() << "nothing thrown";
  } catch (upsweep::count_mismatch_error const& e) {
    EXPECT_EQ(std::string(e.what()).rfind("emit_lists_into: row 2 emitted", 0), 0u) << e.what();
  }
  EXPECT_EQ(oracle::to_host(four).back(), -7);
}

}  // namespace
