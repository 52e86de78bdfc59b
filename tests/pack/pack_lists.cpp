// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/views.hpp"

#include <upsweep/pack/pack_lists.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

/// Row i: its divisors' multiples below 40, i.e. i, 2i, 3i, ...; rows 0 and those above 39 are empty.
struct multiples {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    for (std::size_t k = i; i > 0 && k < 40; k += i) emit(static_cast<int>(k));
  }
};

void check_multiples(upsweep::lists<int> const& l, std::int64_t n) {
  std::vector<std::size_t> offsets{0};
  std::vector<int> values;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::size_t k = i; i > 0 && k < 40; k += i) values.push_back(static_cast<int>(k));
    offsets.push_back(values.size());
  }
  EXPECT_EQ(oracle::to_host(l.offsets), offsets);
  EXPECT_EQ(oracle::to_host(l.values), values);
}

TEST(pack_lists, rows_in_order_records_as_emitted) {
  for (std::int64_t n : {0, 1, 2, 50, 5000})
    check_multiples(upsweep::pack_lists<int>(oracle::space{}, n, multiples{}), n);
}

#if defined(KOKKOS_ENABLE_SERIAL)
TEST(pack_lists, on_the_serial_backend) {
  using upsweep::pack_strategy;
  Kokkos::Serial const serial;
  auto const expected = upsweep::pack_lists<int>(oracle::space{}, 3000, multiples{});
  for (auto strategy : {pack_strategy::two_pass, pack_strategy::fused}) {
    auto const l = upsweep::pack_lists<int>(serial, 3000, multiples{}, {.strategy = strategy, .upper_bound = 200});
    auto const offsets = Kokkos::create_mirror_view_and_copy(oracle::memory{}, l.offsets);
    auto const values = Kokkos::create_mirror_view_and_copy(oracle::memory{}, l.values);
    EXPECT_EQ(oracle::to_host(offsets), oracle::to_host(expected.offsets));
    EXPECT_EQ(oracle::to_host(values), oracle::to_host(expected.values));
  }
}
#endif

TEST(pack_lists, plan_comes_before_memory) {
  oracle::space const space;
  auto const plan = upsweep::count_lists<int>(space, 50, multiples{});
  EXPECT_EQ(plan.rows, 50u);
  EXPECT_EQ(plan.largest_row, 39u);
  auto const l = upsweep::emit_lists(space, plan, multiples{});
  EXPECT_EQ(l.total(), plan.total);
  EXPECT_EQ(plan.bytes(), 51 * 8 + plan.total * 4);
  check_multiples(l, 50);
  Kokkos::View<int*, oracle::memory> const small("small", plan.total - 1);
  try {
    upsweep::emit_lists_into(space, plan, small, multiples{});
    FAIL() << "there is no room for all records";
  } catch (upsweep::precondition_error const& e) {
    EXPECT_EQ(std::string(e.what()).rfind("emit_lists_into: values has room for ", 0), 0u) << e.what();
  }
}

TEST(pack_lists, the_order_of_visits_does_not_matter) {
  std::vector<int> visit{-1};
  for (int i = 49; i >= 0; --i) visit.push_back((i * 7) % 50);
  visit.push_back(50);  // outside: skipped
  auto const device = oracle::to_device(visit);
  upsweep::workspace ws{oracle::space{}};
  check_multiples(upsweep::pack_lists<int>(oracle::space{}, 50, multiples{}, {.workspace = &ws, .visit = device}), 50);
}

/// Emits one record more each time it is asked: not pure.
struct impure {
  Kokkos::View<int*, oracle::memory> calls;
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    int const count = 2 + (i >= 17 ? calls(i)++ : 0);
    for (int k = 0; k < count; ++k) emit(int(i));
  }
};

TEST(pack_lists, a_different_count_in_the_second_pass_is_caught) {
  impure const functor{Kokkos::View<int*, oracle::memory>("calls", 40)};
  auto const plan = upsweep::count_lists<int>(oracle::space{}, 40, functor);
  Kokkos::View<int*, oracle::memory> const guarded("guarded", plan.total + 1);
  oracle::fill(guarded, -1);
  try {
    upsweep::emit_lists_into(oracle::space{}, plan, guarded, functor);
    FAIL() << "nothing thrown";
  } catch (upsweep::count_mismatch_error const& e) {
    EXPECT_NE(std::string(e.what()).find("row 17 "), std::string::npos) << e.what();
  }
  // Every row stayed in its slot, the last one too.
  auto const values = oracle::to_host(guarded);
  for (std::size_t k = 0; k < plan.total; ++k) EXPECT_EQ(values[k], int(k / 2));
  EXPECT_EQ(values.back(), -1);
}

struct failing {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    if (i % 1000 == 321) emit.fail(42 + int(i / 1000));
  }
};

TEST(pack_lists, failures_name_the_first_row_and_its_code) {
  try {
    upsweep::pack_lists<int>(oracle::space{}, 5000, failing{});
    FAIL() << "nothing thrown";
  } catch (upsweep::user_failure_error const& e) {
    EXPECT_STREQ(e.what(), "pack_lists: row 321 failed with code 42");
  }
  EXPECT_THROW(upsweep::pack_lists<int>(oracle::space{}, -1, multiples{}), upsweep::precondition_error);
}

}  // namespace
