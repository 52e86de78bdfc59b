// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lists made again and again in memory that is there: count_lists_into and pack_lists_into.

#include "../contracts/tools.hpp"
#include "ragged.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace {

using upsweep::pack_options;
using upsweep::pack_strategy;

std::vector<int> some_lengths(std::size_t n) {
  std::vector<int> lengths(n);
  for (std::size_t i = 0; i < n; ++i) lengths[i] = int(i * 13 % 25);
  return lengths;
}

void expect_plan(upsweep::list_plan<int> const& plan, std::vector<int> const& lengths) {
  ragged::expectation<int> const expected(lengths);
  EXPECT_EQ(plan.rows, lengths.size());
  EXPECT_EQ(plan.total, expected.values.size());
  EXPECT_EQ(plan.largest_row, lengths.empty() ? 0u : unsigned(*std::max_element(lengths.begin(), lengths.end())));
  auto found = oracle::to_host(plan.offsets);
  ASSERT_GE(found.size(), expected.offsets.size());
  found.resize(expected.offsets.size());
  EXPECT_EQ(found, expected.offsets);
  ragged::expect_equal(upsweep::emit_lists(oracle::space{}, plan, ragged::of<int>(lengths)), expected, "of the plan");
}

TEST(lists_again, a_plan_keeps_its_offsets_where_they_have_room) {
  oracle::space const space;
  upsweep::list_plan<int> plan;
  std::size_t const* memory = nullptr;
  for (std::size_t n : {3000u, 3000u, 17u, 0u, 2999u}) {
    auto const lengths = some_lengths(n);
    upsweep::count_lists_into(space, n, plan, ragged::of<int>(lengths));
    if (memory == nullptr) memory = plan.offsets.data();
    EXPECT_EQ(plan.offsets.data(), memory);
    expect_plan(plan, lengths);
  }
  auto const longer = some_lengths(7000);
  upsweep::count_lists_into(space, 7000, plan, ragged::of<int>(longer));
  expect_plan(plan, longer);
}

TEST(lists_again, a_list_keeps_the_offsets_that_it_has_from_a_plan) {
  oracle::space const space;
  upsweep::list_plan<int> plan;
  auto const first = some_lengths(500);
  upsweep::count_lists_into(space, 500, plan, ragged::of<int>(first));
  auto const list = upsweep::emit_lists(space, plan, ragged::of<int>(first));
  std::vector<int> const second(500, 3);
  upsweep::count_lists_into(space, 500, plan, ragged::of<int>(second));
  expect_plan(plan, second);
  ragged::expect_equal(list, ragged::expectation<int>(first), "the list of the plan before");
}

struct fails_at_40 {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    if (i >= 40) emit.fail(3);
    emit(1);
  }
};

TEST(lists_again, a_plan_is_empty_after_an_error) {
  oracle::space const space;
  auto plan = upsweep::count_lists<int>(space, 100, ragged::of<int>(some_lengths(100)));
  EXPECT_THROW(upsweep::count_lists_into(space, 100, plan, fails_at_40{}), upsweep::user_failure_error);
  EXPECT_EQ(plan.rows, 0u);
  EXPECT_EQ(plan.total, 0u);
  EXPECT_EQ(plan.offsets.extent(0), 0u);
  EXPECT_EQ(upsweep::emit_lists(space, plan, fails_at_40{}).rows(), 0u);
}

/// Views of a caller, with sentinels.
template <class T>
struct target {
  Kokkos::View<std::size_t*, oracle::memory> offsets;
  Kokkos::View<T*, oracle::memory> all, values;

  target(std::size_t rows, std::size_t room)
      : offsets("offsets", rows + 1),
        all("all", room + 50),
        values(Kokkos::subview(all, Kokkos::make_pair(std::size_t(0), room))) {
    oracle::fill(offsets, std::size_t(77));
    std::vector<T> sentinels(room + 50, ragged::made<T>(-1, 0));
    oracle::assign(all, sentinels);
  }
  /// What is behind the first `count` values is as it was.
  void expect_untouched_behind(std::size_t count) const {
    auto const found = oracle::to_host(all);
    for (std::size_t k = count; k < found.size(); ++k) ASSERT_TRUE(found[k] == ragged::made<T>(-1, 0)) << k;
  }
};

std::vector<pack_options> ways(std::size_t total) {
  return {{},
          {.strategy = pack_strategy::two_pass},
          {.strategy = pack_strategy::fused},
          {.upper_bound = total + 1},
          {.memory_budget = 1000000}};
}

template <class T>
class pack_lists_into : public testing::Test {};
using record_types = testing::Types<int, ragged::record>;
TYPED_TEST_SUITE(pack_lists_into, record_types);

TYPED_TEST(pack_lists_into, gives_what_pack_lists_gives) {
  using T = TypeParam;
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : {0u, 1u, 127u, 1025u, 20000u})
    for (auto const& lengths : ragged::shapes(n)) {
      ragged::expectation<T> const expected(lengths);
      std::size_t const total = expected.values.size();
      for (pack_options options : ways(total))
        for (std::size_t more : {0u, 9u}) {
          options.workspace = more == 0 ? &ws : nullptr;
          target<T> const to(n, total + more);
          ASSERT_EQ(upsweep::pack_lists_into(space, n, to.offsets, to.values, ragged::of<T>(lengths), options), total);
          ASSERT_EQ(oracle::to_host(to.offsets), expected.offsets);
          auto found = oracle::to_host(to.values);
          found.resize(total);
          ASSERT_EQ(found, expected.values);
          to.expect_untouched_behind(total);
        }
    }
}

/// Not to be copied as bytes.
struct own_copy {
  std::int64_t value = -1;
  own_copy() = default;
  KOKKOS_FUNCTION own_copy(std::int64_t of) : value(of) {}
  KOKKOS_FUNCTION own_copy(own_copy const& other) : value(other.value) {}
  KOKKOS_FUNCTION own_copy& operator=(own_copy const& other) {
    value = other.value;
    return *this;
  }
};
struct own_copies {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<own_copy> const& emit) const {
    for (std::size_t k = 0; k < i % 5; ++k) emit(own_copy(static_cast<std::int64_t>(10 * i + k)));
  }
};

TEST(lists_again, records_with_a_copy_of_their_own) {
  for (std::size_t n : {1u, 1000u, 20000u}) {
    std::vector<std::int64_t> expected;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < i % 5; ++k) expected.push_back(static_cast<std::int64_t>(10 * i + k));
    Kokkos::View<std::size_t*, oracle::memory> const offsets("offsets", n + 1);
    Kokkos::View<own_copy*, oracle::memory> const values("values", expected.size());
    ASSERT_EQ(upsweep::pack_lists_into(oracle::space{}, n, offsets, values, own_copies{}), expected.size());
    auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, values);
    for (std::size_t k = 0; k < expected.size(); ++k) ASSERT_EQ(found(k).value, expected[k]) << n;
    EXPECT_EQ(oracle::to_host(offsets).back(), expected.size());
  }
}

TEST(lists_again, values_that_are_too_short_are_named_with_the_total) {
  oracle::space const space;
  auto const lengths = some_lengths(3000);
  ragged::expectation<int> const expected(lengths);
  std::size_t const total = expected.values.size();
  for (auto const strategy : {pack_strategy::two_pass, pack_strategy::fused})
    for (std::size_t room : {std::size_t(0), std::size_t(1000), total - 1}) {
      target<int> const to(3000, room);
      try {
        upsweep::pack_lists_into(space, 3000, to.offsets, to.values, ragged::of<int>(lengths), {.strategy = strategy});
        FAIL() << "nothing thrown";
      } catch (upsweep::overflow_error const& e) {
        EXPECT_EQ(std::string(e.what()), "pack_lists_into: the rows make " + std::to_string(total) +
                                             " records, but values has room for " + std::to_string(room));
      }
      EXPECT_EQ(oracle::to_host(to.offsets), expected.offsets);
      auto const found = oracle::to_host(to.values);
      std::size_t fits = 0;
      for (std::size_t i = 0; i < 3000 && expected.offsets[i + 1] <= room; ++i) fits = expected.offsets[i + 1];
      for (std::size_t k = 0; k < fits; ++k) ASSERT_EQ(found[k], expected.values[k]) << k;
      to.expect_untouched_behind(room);
    }
}

TEST(lists_again, wrong_arguments_are_refused) {
  oracle::space const space;
  auto const rows = ragged::of<int>({1, 2});
  Kokkos::View<std::size_t*, oracle::memory> const three("offsets", 3), four("offsets", 4);
  Kokkos::View<int*, oracle::memory> const values("values", 10);
  EXPECT_EQ(upsweep::pack_lists_into(space, 2, three, values, rows), 3u);
  EXPECT_THROW(upsweep::pack_lists_into(space, 2, four, values, rows), upsweep::precondition_error);
  EXPECT_THROW(upsweep::pack_lists_into(space, 3, three, values, rows), upsweep::precondition_error);
  EXPECT_THROW(upsweep::pack_lists_into(space, -1, three, values, rows), upsweep::precondition_error);
  EXPECT_THROW(upsweep::pack_lists_into(space, 2, three, values, rows, {.memory_budget = 1}),
               upsweep::out_of_memory_error);
  Kokkos::View<std::size_t*, oracle::memory> const both("both", 8);
  auto const part = [&](std::size_t a, std::size_t b) { return Kokkos::subview(both, std::make_pair(a, b)); };
  auto const numbers = ragged::of<std::size_t>({1, 2});
  EXPECT_EQ(upsweep::pack_lists_into(space, 2, part(0, 3), part(3, 8), numbers), 3u);
  EXPECT_THROW(upsweep::pack_lists_into(space, 2, part(0, 3), part(2, 8), numbers), upsweep::precondition_error);
}

// A bound is a promise, whatever room there is; the lists are there.
TEST(lists_again, bounds_that_are_too_small_are_errors) {
  auto const lengths = some_lengths(3000);  // at most 24; the first row of more than 20 is row 17
  ragged::expectation<int> const expected(lengths);
  std::size_t const total = expected.values.size();
  auto const error_with = [&](pack_options const& options) -> std::string {
    target<int> const to(3000, total);
    std::string what;
    try {
      upsweep::pack_lists_into(oracle::space{}, 3000, to.offsets, to.values, ragged::of<int>(lengths), options);
    } catch (upsweep::overflow_error const& e) {
      what = e.what();
    }
    EXPECT_EQ(oracle::to_host(to.offsets), expected.offsets);
    EXPECT_EQ(oracle::to_host(to.values), expected.values);
    return what;
  };
  for (auto const strategy : {pack_strategy::automatic, pack_strategy::two_pass, pack_strategy::fused}) {
    EXPECT_EQ(error_with({.strategy = strategy, .upper_bound = total - 1}),
              "pack_lists_into: the rows make " + std::to_string(total) + " records, but the upper bound is " +
                  std::to_string(total - 1));
    EXPECT_EQ(error_with({.strategy = strategy, .row_bound = 20}),
              "pack_lists_into: row 17 makes more records than the row bound, 20");
    EXPECT_EQ(error_with({.strategy = strategy, .upper_bound = total, .row_bound = 24}), "");
  }
}

/// Row i has i % 2 records.
struct odd_rows {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<std::int64_t> const& emit) const {
    if (i % 2 != 0) emit(i);
  }
};

TEST(lists_again, automatic_takes_two_passes_where_a_budget_has_no_room_for_fused) {
  constexpr std::int64_t rows = 1000000;
  target<std::int64_t> const to(rows, rows / 2);
  auto const pack = [&](pack_options const& options) {
    return upsweep::pack_lists_into(oracle::space{}, rows, to.offsets, to.values, odd_rows{}, options);
  };
  auto const fits = [&](pack_strategy strategy, std::size_t budget) {
    try {
      pack({.strategy = strategy, .memory_budget = budget});
      return true;
    } catch (upsweep::out_of_memory_error const&) {
      return false;
    }
  };
  std::size_t budget = 1000;
  while (!fits(pack_strategy::two_pass, budget)) budget += budget / 4;
  // CPUs whose launches wait take no memory of a workspace for it.
  ASSERT_EQ(fits(pack_strategy::fused, budget), upsweep::compat::launches_wait<oracle::space>);
  oracle::fill(to.values, std::int64_t(-1));
  EXPECT_EQ(pack({.row_bound = 1, .memory_budget = budget}), std::size_t(rows / 2));
  auto const found = oracle::to_host(to.values);
  for (std::size_t k = 0; k < found.size(); ++k) ASSERT_EQ(found[k], std::int64_t(2 * k + 1));
  EXPECT_EQ(oracle::to_host(to.offsets).back(), std::size_t(rows / 2));
}

// Two passes call a functor twice for a row, fused does so where a record found no room on the way.
std::string error_of(pack_strategy strategy, bool fails, bool impure, std::size_t room) {
  ragged::misbehaving const functor{Kokkos::View<int*, oracle::memory>("calls", 100), fails, impure};
  target<int> const to(100, room);
  try {
    upsweep::pack_lists_into(oracle::space{}, 100, to.offsets, to.values, functor, {.strategy = strategy});
  } catch (upsweep::error const& e) {
    return e.what();
  }
  return "";
}

// Both passes are launched before anything is looked at.
TEST(lists_again, rows_that_fail_come_before_too_little_room_and_that_before_counts_that_differ) {
  for (auto const strategy : {pack_strategy::two_pass, pack_strategy::fused}) {
    EXPECT_EQ(error_of(strategy, true, true, 1000000), "pack_lists_into: row 77 failed with code 5");
    EXPECT_EQ(error_of(strategy, true, true, 1000), "pack_lists_into: row 77 failed with code 5");
    EXPECT_EQ(error_of(strategy, false, true, 800000).rfind("pack_lists_into: the rows make 900000 records", 0), 0u)
        << int(strategy);
    std::string const differs = error_of(strategy, false, true, 1000000);
    if (strategy == pack_strategy::two_pass || !upsweep::compat::launches_wait<oracle::space>) {
      EXPECT_EQ(differs.rfind("pack_lists_into: row 30 emitted a different", 0), 0u) << int(strategy);
    } else {
      EXPECT_TRUE(differs.empty() || differs.find("emitted a different") != std::string::npos) << differs;
    }
    EXPECT_EQ(error_of(strategy, false, false, 900000), "");
  }
}

TEST(lists_again, rows_that_are_not_visited_are_named) {
  oracle::space const space;
  auto const lengths = some_lengths(1000);
  ragged::expectation<int> const expected(lengths);
  std::vector<int> visit(1000);
  std::iota(visit.rbegin(), visit.rend(), 0);
  auto const pack = [&] {
    auto const device = oracle::to_device(visit);
    target<int> const to(1000, expected.values.size());
    upsweep::pack_lists_into(space, 1000, to.offsets, to.values, ragged::of<int>(lengths),
                             {.visit = device, .row_bound = 24});
    return oracle::to_host(to.values);
  };
  EXPECT_EQ(pack(), expected.values);
  visit[0] = 5;  // instead of row 999, the last one
  try {
    pack();
    FAIL() << "nothing thrown";
  } catch (upsweep::precondition_error const& e) {
    EXPECT_STREQ(e.what(), "pack_lists_into: row 5 is in visit more than once");
  }
}

/// More records than 64 bits can count, if they were there.
struct countless {
  KOKKOS_FUNCTION void operator()(std::size_t, upsweep::emitter<int> const& emit) const {
    if (emit.counts_only()) emit.add(std::size_t(1) << 61);
  }
};

TEST(lists_again, sums_do_not_wrap) {
  oracle::space const space;
  try {
    upsweep::count_lists<int>(space, 5000, countless{});
    FAIL() << "nothing thrown";
  } catch (upsweep::overflow_error const& e) {
    EXPECT_STREQ(e.what(), "count_lists: the records of rows 0 to 7 are more than 64 bits count");
  }
  target<int> const to(5000, 100);
  try {
    upsweep::pack_lists_into(space, 5000, to.offsets, to.values, countless{}, {.strategy = pack_strategy::two_pass});
    FAIL() << "nothing thrown";
  } catch (upsweep::overflow_error const& e) {
    EXPECT_STREQ(e.what(), "pack_lists_into: the records of rows 0 to 7 are more than 64 bits count");
  }
  to.expect_untouched_behind(0);
}

// Errors, total and longest row come to the host in one copy.
TEST(lists_again, with_a_workspace_nothing_is_allocated_and_the_host_waits_once) {
  oracle::space const space;
  upsweep::workspace ws(space);
  auto const functor = ragged::of<int>(some_lengths(20000));
  std::size_t const total = ragged::expectation<int>(some_lengths(20000)).values.size();
  target<int> const to(20000, total);
  upsweep::list_plan<int> plan;
  auto const two_pass = [&] {
    upsweep::pack_lists_into(space, 20000, to.offsets, to.values, functor, {.workspace = &ws});
  };
  auto const fused = [&] {
    upsweep::pack_lists_into(space, 20000, to.offsets, to.values, functor, {.workspace = &ws, .upper_bound = total});
  };
  auto const count = [&] { upsweep::count_lists_into(space, 20000, plan, functor, {.workspace = &ws}); };
  auto const check = [&](auto const& call, char const* what) {
    call();
    contracts::recorder const seen;
    call();
    EXPECT_EQ(contracts::recorder::allocations(), std::vector<std::string>{}) << what;
    std::size_t waits = 0;
    for (auto const& name : contracts::recorder::fences()) waits += name.find("upsweep::") == 0 ? 1 : 0;
    EXPECT_EQ(waits, 1u) << what;
  };
  check(two_pass, "two passes");
  check(fused, "fused");
  check(count, "count_lists_into");
}

}  // namespace
