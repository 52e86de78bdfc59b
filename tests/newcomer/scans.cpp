// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Scans by somebody who has read docs/scan.md: a total, an initial value, a workspace, in place, and a monoid of one's
// own.

#include <gtest/gtest.h>
#include <upsweep/upsweep.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace {

using space_type = Kokkos::DefaultExecutionSpace;

constexpr std::size_t n = 10'007;

/// Where the records of every item begin, behind the 100 that there are: the offsets, and all records as the total.
long offsets_behind_others(Kokkos::View<int const*> counts, Kokkos::View<long*> offsets) {
  space_type const space;
  long total = 0;
  upsweep::exclusive_scan(space, counts, offsets, upsweep::into{total}, 100);
  return total;
}

/// The sums so far of ten numbers of steps, one step after the other, without an allocation in between.
void running_sums(std::vector<Kokkos::View<double*>> const& steps) {
  space_type const space;
  upsweep::workspace memory(space);
  for (auto const& step : steps) upsweep::inclusive_scan(space, step, step, {.workspace = &memory});
  space.fence();
}

/// y = slope x + shift.
struct line {
  double slope, shift;
};
/// First the left line, then the right one.
struct one_after_the_other {
  using value_type = line;
  KOKKOS_FUNCTION line identity() const { return {1, 0}; }
  KOKKOS_FUNCTION line operator()(line const& left, line const& right) const {
    return {right.slope * left.slope, right.slope * left.shift + right.shift};
  }
};

/// Balances of an account with interest and payments: x(i) = rate(i) x(i-1) + payment(i), with x(-1) = start.
void balances(double start, Kokkos::View<line const*> steps, Kokkos::View<double*> balance) {
  space_type const space;
  Kokkos::View<line*> all("all", steps.extent(0));
  upsweep::inclusive_scan(space, steps, all, one_after_the_other{});
  Kokkos::parallel_for(
      Kokkos::RangePolicy<space_type>(space, 0, steps.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) { balance(i) = all(i).slope * start + all(i).shift; });
  space.fence();
}

}  // namespace

TEST(newcomer, offsets_and_their_total) {
  Kokkos::View<int*> const counts("counts", n);
  Kokkos::View<long*> const offsets("offsets", n);
  auto const host_counts = Kokkos::create_mirror_view(counts);
  for (std::size_t i = 0; i < n; ++i) host_counts(i) = static_cast<int>(i * i % 7);
  Kokkos::deep_copy(counts, host_counts);
  long const total = offsets_behind_others(counts, offsets);

  std::vector<long> expected(n);
  std::exclusive_scan(host_counts.data(), host_counts.data() + n, expected.begin(), 100L);
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), offsets);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(found(i), expected[i]) << i;
  EXPECT_EQ(total, expected[n - 1] + host_counts(n - 1));
}

TEST(newcomer, sums_in_place_with_a_workspace) {
  std::vector<Kokkos::View<double*>> steps;
  for (std::size_t k = 0; k < 10; ++k) {
    steps.emplace_back("step", n);
    Kokkos::deep_copy(steps[k], static_cast<double>(k));
  }
  running_sums(steps);
  for (std::size_t k = 0; k < 10; ++k) {
    auto const sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), steps[k]);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(sums(i), static_cast<double>(k * (i + 1))) << k << ' ' << i;
  }
}

TEST(newcomer, a_monoid_of_ones_own) {
  Kokkos::View<line*> const steps("steps", n);
  Kokkos::View<double*> const balance("balance", n);
  auto const host_steps = Kokkos::create_mirror_view(steps);
  for (std::size_t i = 0; i < n; ++i)
    host_steps(i) = {1.0 + 1e-4 * static_cast<double>(i % 3), i % 2 == 0 ? 5.0 : -4.0};
  Kokkos::deep_copy(steps, host_steps);
  balances(1000, steps, balance);

  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), balance);
  double x = 1000;
  for (std::size_t i = 0; i < n; ++i) {
    x = host_steps(i).slope * x + host_steps(i).shift;
    ASSERT_NEAR(found(i), x, 1e-9 * x) << i;
  }
}
