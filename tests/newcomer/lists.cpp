// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Rows of any length by somebody who has read docs/pack.md: the divisors of every number, at once within a budget of
// memory, and in two steps.

#include <gtest/gtest.h>
#include <upsweep/upsweep.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace {

using space_type = Kokkos::DefaultExecutionSpace;

constexpr std::size_t n = 3000;

struct divisors {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    for (std::size_t d = 1; d <= i; ++d)
      if (i % d == 0) emit(static_cast<int>(d));
  }
};

void expect_divisors(Kokkos::View<std::size_t const*> offsets, Kokkos::View<int const*> values) {
  auto const first = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), offsets);
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  ASSERT_EQ(first.extent(0), n + 1);
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(first(i), k) << i;
    for (std::size_t d = 1; d <= i; ++d)
      if (i % d == 0) {
        ASSERT_LT(k, found.extent(0)) << i;
        ASSERT_EQ(found(k++), static_cast<int>(d)) << i;
      }
  }
  EXPECT_EQ(first(n), k);
  EXPECT_EQ(found.extent(0), k);
}

}  // namespace

TEST(newcomer, lists_within_a_budget) {
  space_type const space;
  auto const lists = upsweep::pack_lists<int>(space, n, divisors{}, {.memory_budget = std::size_t(1) << 20});
  expect_divisors(lists.offsets, lists.values);
  EXPECT_THROW(upsweep::pack_lists<int>(space, n, divisors{}, {.memory_budget = 1}), upsweep::out_of_memory_error);
}

TEST(newcomer, lists_in_two_steps) {
  space_type const space;
  auto const plan = upsweep::count_lists<int>(space, n, divisors{});
  std::size_t records = 0, most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t row = 0;
    for (std::size_t d = 1; d <= i; ++d) row += i % d == 0;
    records += row;
    most = row > most ? row : most;
  }
  EXPECT_EQ(plan.total, records);
  EXPECT_EQ(plan.largest_row, most);
  EXPECT_GE(plan.bytes(), records * sizeof(int));
  auto const lists = upsweep::emit_lists(space, plan, divisors{});
  expect_divisors(lists.offsets, lists.values);
}
