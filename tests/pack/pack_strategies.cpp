// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../contracts/tools.hpp"
#include "ragged.hpp"

#include <upsweep/scan/reduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace {

using upsweep::pack_options;
using upsweep::pack_strategy;

constexpr pack_strategy all_strategies[] = {pack_strategy::two_pass, pack_strategy::fused};

std::vector<pack_options> strategies(std::vector<int> const& lengths) {
  auto const total = std::accumulate(lengths.begin(), lengths.end(), std::size_t(0));
  auto const longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  std::vector<pack_options> all{{.strategy = pack_strategy::two_pass},
                                {.strategy = pack_strategy::fused, .upper_bound = total},
                                {.strategy = pack_strategy::fused, .upper_bound = 2 * total + 5},
                                {}};
  if (lengths.size() * std::size_t(longest) < 20000000)
    all.push_back({.strategy = pack_strategy::fused, .upper_bound = 3 * total, .row_bound = std::size_t(longest)});
  return all;
}

template <class T>
class pack_strategies : public testing::Test {};
using record_types = testing::Types<std::int8_t, ragged::record>;
TYPED_TEST_SUITE(pack_strategies, record_types);

TYPED_TEST(pack_strategies, give_the_same_lists) {
  using T = TypeParam;
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : {0u, 1u, 2u, 127u, 129u, 256u, 257u, 1025u, 20000u})
    for (auto const& lengths : ragged::shapes(n)) {
      auto functor = ragged::of<T>(lengths);
      ragged::expectation<T> const expected(lengths);
      for (pack_options options : strategies(lengths)) {
        auto const what = std::to_string(n) + " rows, strategy " + std::to_string(int(options.strategy));
        options.workspace = functor.counts_at_once ? &ws : nullptr;
        ragged::expect_equal(upsweep::pack_lists<T>(space, n, functor, options), expected, what.c_str());
        functor.counts_at_once = !functor.counts_at_once;
      }
    }
}

TEST(pack_strategy_calls, the_functor_is_called_again_only_where_there_was_no_room) {
  oracle::space const space;
  std::vector<int> lengths(60);
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = int(i % 7);
  auto functor = ragged::of<int>(lengths);
  auto const calls_with = [&](pack_options const& options) {
    functor.calls = Kokkos::View<int*, oracle::memory>("calls", 60);
    upsweep::pack_lists<int>(space, 60, functor, options);
    return oracle::to_host(functor.calls);
  };
  // One tile, so that nobody counts for others.
  EXPECT_EQ(calls_with({.strategy = pack_strategy::fused, .upper_bound = 1000}), std::vector<int>(60, 1));
  EXPECT_EQ(calls_with({.strategy = pack_strategy::two_pass}), std::vector<int>(60, 2));
}

std::string kernels_of_rows(int length, pack_options const& options, std::vector<int> const& visit = {}) {
  oracle::space const space;
  auto const functor = ragged::of<int>(std::vector<int>(1000, length));
  auto const order = oracle::to_device(visit);
  pack_options with = options;
  if (!visit.empty()) with.visit = order;
  contracts::recorder const seen;
  upsweep::pack_lists<int>(space, 1000, functor, with);
  for (auto const& k : contracts::recorder::kernels())
    for (auto const* name : {"count", "fused"})
      if (k.label == std::string("upsweep::pack_lists::") + name) return name;
  return "none";
}

std::string kernels_of(pack_options const& options, std::vector<int> const& visit = {}) {
  return kernels_of_rows(3, options, visit);
}

TEST(pack_strategy_calls, automatic_follows_what_the_caller_knows) {
  EXPECT_EQ(kernels_of({}), "count");
  EXPECT_EQ(kernels_of({.row_bound = 4}), "fused");
  EXPECT_EQ(kernels_of({.upper_bound = 3000}), "fused");
  EXPECT_EQ(kernels_of({.upper_bound = 5000, .memory_budget = 15000}), "count");
  EXPECT_EQ(kernels_of({.upper_bound = 3000, .memory_budget = 100000}), "fused");
  std::vector<int> backwards(1000);
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  EXPECT_EQ(kernels_of({.upper_bound = 3000}, backwards), "count");
}

TEST(pack_strategy_calls, what_a_strategy_cannot_do_is_refused) {
  oracle::space const space;
  auto const functor = ragged::of<int>(std::vector<int>(1000, 3));
  std::vector<int> backwards(1000);
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  auto const visit = oracle::to_device(backwards);
  auto const message = [&](pack_options const& options, bool into = false) -> std::string {
    Kokkos::View<std::size_t*, oracle::memory> const offsets("offsets", 1001);
    Kokkos::View<int*, oracle::memory> const values("values", 3000);
    try {
      if (into) upsweep::pack_lists_into(space, 1000, offsets, values, functor, options);
      else upsweep::pack_lists<int>(space, 1000, functor, options);
    } catch (upsweep::precondition_error const& e) {
      return e.what();
    }
    return "nothing thrown";
  };
  for (bool into : {false, true})
    EXPECT_EQ(message({.visit = visit, .strategy = pack_strategy::fused, .upper_bound = 3000}, into),
              std::string(into ? "pack_lists_into" : "pack_lists") + ": the strategy fused follows no visit order");
}

// An empty View is not the same as none: no row is in it.
TEST(pack_strategy_calls, an_empty_order_of_visits_is_given) {
  oracle::space const space;
  Kokkos::View<int*, oracle::memory> const empty;
  EXPECT_THROW(upsweep::pack_lists<int>(space, 3, ragged::of<int>({1, 1, 1}), {.visit = empty}),
               upsweep::precondition_error);
  EXPECT_THROW(upsweep::count_lists<int>(space, 3, ragged::of<int>({1, 1, 1}), {.visit = empty}),
               upsweep::precondition_error);
  EXPECT_EQ(upsweep::pack_lists<int>(space, 0, ragged::of<int>({}), {.visit = empty}).total(), 0u);
}

// 0 is a bound, and a budget.
TEST(pack_strategy_calls, nothing_is_a_bound) {
  oracle::space const space;
  auto const empty_rows = ragged::of<int>(std::vector<int>(1000, 0)), rows = ragged::of<int>(std::vector<int>(1000, 1));
  EXPECT_EQ(kernels_of_rows(0, {.upper_bound = 0}), "fused");
  EXPECT_EQ(kernels_of_rows(0, {.row_bound = 0}), "fused");
  EXPECT_EQ(upsweep::pack_lists<int>(space, 1000, empty_rows, {.row_bound = 0}).total(), 0u);
  EXPECT_THROW(upsweep::pack_lists<int>(space, 1000, rows, {.upper_bound = 0}), upsweep::overflow_error);
  EXPECT_THROW(upsweep::pack_lists<int>(space, 1000, rows, {.memory_budget = 0}), upsweep::out_of_memory_error);
  auto const plan = upsweep::count_lists<int>(space, 1000, rows);
  EXPECT_THROW(upsweep::count_lists<int>(space, 1000, rows, {.memory_budget = 0}), upsweep::out_of_memory_error);
  EXPECT_THROW(upsweep::emit_lists(space, plan, rows, {.memory_budget = 0}), upsweep::out_of_memory_error);
  EXPECT_EQ(upsweep::emit_lists(space, plan, rows, {.memory_budget = 512}).total(), 1000u);
}

TEST(pack_strategy_calls, the_order_of_visits_does_not_matter) {
  oracle::space const space;
  auto const lengths = ragged::shapes(1000)[4];
  std::vector<int> visit{-1, 1000};
  for (int i = 0; i < 1000; ++i) visit.push_back(i * 7 % 1000);
  auto const device = oracle::to_device(visit);
  for (pack_options options : strategies(lengths)) {
    if (options.strategy == pack_strategy::fused) continue;
    options.visit = device;
    ragged::expect_equal(upsweep::pack_lists<int>(space, 1000, ragged::of<int>(lengths), options),
                         ragged::expectation<int>(lengths), "visits");
  }
}

// A row that nobody visits has no count: totals came from memory that nothing had written.
TEST(pack_strategy_calls, rows_visited_never_or_again_are_named) {
  oracle::space const space;
  std::vector<int> const lengths(1000, 3);
  auto const message = [&](std::vector<int> const& visit) -> std::string {
    auto const device = oracle::to_device(visit);
    try {
      upsweep::pack_lists<int>(space, 1000, ragged::of<int>(lengths), {.visit = device});
    } catch (upsweep::precondition_error const& e) {
      return e.what();
    }
    return "nothing thrown";
  };
  std::vector<int> all(1000);
  std::iota(all.rbegin(), all.rend(), 0);
  auto missing = all, repeated = all;
  missing[3] = 1000;
  missing[600] = -1;
  repeated[10] = 77;
  repeated.push_back(50);
  EXPECT_EQ(message(all), "nothing thrown");
  EXPECT_EQ(message(missing), "pack_lists: row 399 is not in visit");
  EXPECT_EQ(message(repeated), "pack_lists: row 50 is in visit more than once");
  EXPECT_EQ(message({0}), "pack_lists: row 1 is not in visit");
}

TEST(pack_strategy_calls, rows_of_a_piece_visited_never_are_named) {
  oracle::space const space;
  std::vector<int> const lengths(1000, 3);
  auto const functor = ragged::of<int>(lengths);
  auto const plan = upsweep::count_lists<int>(space, 1000, functor);
  std::vector<int> visit(1000);
  std::iota(visit.begin(), visit.end(), 0);
  visit[450] = 3;
  auto const device = oracle::to_device(visit);
  upsweep::plan_options const options{.visit = device};
  Kokkos::View<int*, oracle::memory> const values("values", 1500);
  EXPECT_EQ(upsweep::emit_lists_into(space, plan, 500, 1000, values, functor, options), 1500u);
  try {
    upsweep::emit_lists_into(space, plan, 100, 600, values, functor, options);
    FAIL() << "nothing thrown";
  } catch (upsweep::precondition_error const& e) {
    EXPECT_STREQ(e.what(), "emit_lists_into: row 450 is not in visit");
  }
}

TEST(pack_strategy_calls, obey_the_memory_budget_or_say_what_they_need) {
  oracle::space const space;
  std::vector<int> const lengths(20000, 5);
  auto const functor = ragged::of<int>(lengths);
  ragged::expectation<int> const expected(lengths);
  std::size_t const result_bytes = expected.offsets.size() * 8 + expected.values.size() * 4;
  for (auto strategy : all_strategies)
    for (std::size_t budget : {1u, 1000u, 20000u, 100000u, 399999u, 490000u, 3000000u}) {
      pack_options const options{.strategy = strategy, .upper_bound = 100000, .memory_budget = budget};
      std::string message;
      contracts::recorder const seen;
      try {
        ragged::expect_equal(upsweep::pack_lists<int>(space, 20000, functor, options), expected, "budget");
        // Without a copy the bound's memory is the result's.
        std::uint64_t const taken = contracts::recorder::most_bytes();
        EXPECT_LE(taken, result_bytes + budget) << int(strategy);
        EXPECT_GT(taken, result_bytes);
      } catch (upsweep::out_of_memory_error const& e) {
        message = e.what();
      }
      // The bound takes 400,000 bytes, the tiles' status words up to 81 KB, a scan up to 9 KB.
      bool const enough = budget >= (strategy == pack_strategy::fused ? 490000 : 20000);
      bool const too_small = budget <= (strategy == pack_strategy::fused ? 400000 : 1);
      ASSERT_TRUE(!enough || message.empty()) << message;
      ASSERT_TRUE(!too_small || message.find("but memory_budget is " + std::to_string(budget)) != std::string::npos)
          << message;
    }
}

TEST(pack_strategy_calls, a_bound_that_is_too_small_is_an_error) {
  oracle::space const space;
  auto const lengths = ragged::shapes(3000)[4];
  auto const functor = ragged::of<int>(lengths);
  std::size_t const total = ragged::expectation<int>(lengths).values.size();
  for (std::size_t bound : {std::size_t(1), total / 2, total - 1}) {
    try {
      upsweep::pack_lists<int>(space, 3000, functor, {.strategy = pack_strategy::fused, .upper_bound = bound});
      FAIL() << "nothing thrown";
    } catch (upsweep::overflow_error const& e) {
      EXPECT_EQ(std::string(e.what()), "pack_lists: the rows make " + std::to_string(total) +
                                           " records, but the upper bound is " + std::to_string(bound));
    }
  }
  EXPECT_NO_THROW(upsweep::pack_lists<int>(space, 3000, functor, {.upper_bound = total}));
  EXPECT_THROW(upsweep::pack_lists<int>(space, 3000, functor, {.row_bound = 1}), upsweep::overflow_error);
  EXPECT_THROW(upsweep::pack_lists<int>(space, 3000, functor, {.strategy = pack_strategy::fused}),
               upsweep::precondition_error);
  EXPECT_THROW(
      upsweep::pack_lists<int>(space, 3000, functor, {.strategy = pack_strategy::fused, .row_bound = ~std::size_t(0)}),
      upsweep::overflow_error);
  EXPECT_THROW(upsweep::pack_lists<int>(space, -1, functor, {.strategy = pack_strategy::fused, .upper_bound = 1}),
               upsweep::precondition_error);
}

// The sum of all rows is far below what the bound allows.
TEST(pack_strategy_calls, a_row_that_is_longer_than_the_row_bound_is_named) {
  oracle::space const space;
  std::vector<int> backwards(3000);
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  auto const visit = oracle::to_device(backwards);
  auto const message = [&](std::vector<int> const& lengths, pack_options const& options, bool at_once) -> std::string {
    auto functor = ragged::of<int>(lengths);
    functor.counts_at_once = at_once;
    try {
      upsweep::pack_lists<int>(space, lengths.size(), functor, options);
    } catch (upsweep::overflow_error const& e) {
      return e.what();
    }
    return "nothing thrown";
  };
  pack_options const ways[] = {
      {.strategy = pack_strategy::two_pass, .row_bound = 40},
      {.strategy = pack_strategy::two_pass, .upper_bound = 1000000, .row_bound = 40},
      {.strategy = pack_strategy::fused, .row_bound = 40},
      {.strategy = pack_strategy::fused, .upper_bound = 1000000, .row_bound = 40},
      {.row_bound = 40},
      {.visit = visit, .row_bound = 40},                             // two passes
      {.row_bound = 40, .memory_budget = std::size_t(100) * 1024}};  // two passes, as the bound does not fit
  for (auto const& options : ways)
    for (bool at_once : {false, true}) {
      std::vector<int> lengths(3000, 1);
      lengths[1999] = 40;
      EXPECT_EQ(message(lengths, options, at_once), "nothing thrown");
      // Long enough for a second call of the functor, and short.
      for (int length : {41, 100000}) {
        lengths[2000] = lengths[2500] = length;
        EXPECT_EQ(message(lengths, options, at_once), "pack_lists: row 2000 makes more records than the row bound, 40");
      }
    }
}

TEST(pack_strategy_calls, the_upper_bound_holds_for_every_strategy) {
  oracle::space const space;
  auto const functor = ragged::of<int>(std::vector<int>(1000, 3));
  for (auto strategy : all_strategies) {
    EXPECT_EQ(upsweep::pack_lists<int>(space, 1000, functor, {.strategy = strategy, .upper_bound = 3000}).total(),
              3000u);
    try {
      upsweep::pack_lists<int>(space, 1000, functor, {.strategy = strategy, .upper_bound = 2999});
      FAIL() << "nothing thrown";
    } catch (upsweep::overflow_error const& e) {
      EXPECT_STREQ(e.what(), "pack_lists: the rows make 3000 records, but the upper bound is 2999");
    }
  }
}

// The first row that is wrong in either way is named, and counts that differ come last.
TEST(pack_strategy_calls, rows_that_fail_and_rows_that_are_too_long_are_named_in_their_order) {
  for (auto strategy : all_strategies)
    for (bool impure : {false, true}) {
      ragged::misbehaving const functor{Kokkos::View<int*, oracle::memory>("calls", 500), true, impure};
      auto const pack = [&](std::size_t bound) {
        upsweep::pack_lists<int>(oracle::space{}, 500, functor,
                                 {.strategy = strategy, .upper_bound = 9500 * 500, .row_bound = bound});
      };
      EXPECT_THROW(pack(100), upsweep::overflow_error);
      Kokkos::deep_copy(functor.calls, 0);
      EXPECT_THROW(pack(9400), upsweep::user_failure_error);
    }
}

/// More records than 64 bits can count, if they were there.
struct countless {
  KOKKOS_FUNCTION void operator()(std::size_t, upsweep::emitter<int> const& emit) const {
    if (emit.counts_only()) emit.add(std::size_t(1) << 61);
    else
      for (int k = 0; k < 5000; ++k) emit(k);
  }
};

TEST(pack_strategy_calls, sums_do_not_wrap) {
  EXPECT_THROW(upsweep::pack_lists<int>(oracle::space{}, 5000, countless{},
                                        {.strategy = pack_strategy::fused, .upper_bound = 7000}),
               upsweep::overflow_error);
}

// Counts that differ come last.
TEST(pack_strategy_calls, a_bound_that_is_too_small_is_named_before_counts_that_differ) {
  ragged::misbehaving const functor{Kokkos::View<int*, oracle::memory>("calls", 500), false, true};
  EXPECT_THROW(
      upsweep::pack_lists<int>(oracle::space{}, 500, functor, {.strategy = pack_strategy::fused, .upper_bound = 100}),
      upsweep::overflow_error);
}

std::string error_of(pack_options const& options, bool fails, bool impure) {
  ragged::misbehaving const functor{Kokkos::View<int*, oracle::memory>("calls", 500), fails, impure};
  try {
    upsweep::pack_lists<int>(oracle::space{}, 500, functor, options);
  } catch (upsweep::user_failure_error const& e) {
    return std::string("user: ") + e.what();
  } catch (upsweep::count_mismatch_error const& e) {
    return std::string("mismatch: ") + e.what();
  }
  return "";
}

TEST(pack_strategy_calls, report_the_same_errors) {
  for (auto strategy : all_strategies) {
    pack_options const options{.strategy = strategy, .upper_bound = 9500 * 500};
    EXPECT_EQ(error_of(options, true, false), "user: pack_lists: row 77 failed with code 5") << int(strategy);
    EXPECT_EQ(error_of(options, true, true), "user: pack_lists: row 77 failed with code 5") << int(strategy);
    // CPUs need not call a row again.
    if (strategy == pack_strategy::two_pass || !upsweep::compat::launches_wait<oracle::space>) {
      EXPECT_EQ(error_of(options, false, true).rfind("mismatch: pack_lists: row 30 emitted", 0), 0u) << int(strategy);
    }
    EXPECT_EQ(error_of(options, false, false), "") << int(strategy);
  }
}

/// 1 where a record of rows of 1030 is not what it should be.
struct is_wrong {
  Kokkos::View<std::int8_t const*, oracle::memory> values;
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t k) const {
    return values(k) != ragged::made<std::int8_t>(static_cast<std::int64_t>(k / 1030), k % 1030) ? 1 : 0;
  }
};

TEST(long_pack, more_records_than_32_bits_count) {
  oracle::space const space;
  std::int64_t const n = (std::int64_t(1) << 21) + 3;
  std::vector<int> const lengths(std::size_t(n), 1030);
  auto const functor = ragged::of<std::int8_t>(lengths);
  for (auto strategy : all_strategies) {
    auto const l = upsweep::pack_lists<std::int8_t>(space, n, functor,
                                                    {.strategy = strategy, .upper_bound = std::size_t(n) * 1030});
    ASSERT_EQ(l.total(), std::size_t(n) * 1030);
    auto const wrong = upsweep::reduce<std::int64_t>(space, l.total(), is_wrong{l.values});
    EXPECT_EQ(wrong, 0) << int(strategy);
  }
}

}  // namespace
