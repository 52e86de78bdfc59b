// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Elements that are moved within the input.

#include "../oracle/forks.hpp"
#include "moving.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/unique.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace {

using moving::tagged;

template <class T>
class in_place : public testing::Test {};
using element_types = testing::Types<std::int8_t, std::int32_t, tagged>;
TYPED_TEST_SUITE(in_place, element_types);

struct same_key {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& a, T const& b) const {
    return moving::key_of(a) == moving::key_of(b);
  }
};

/// What the calls leave in front, by loops over a copy.
template <class T>
struct results {
  std::vector<T> chosen, partitioned, firsts;
  results(std::vector<T> const& in, std::int64_t bound) : partitioned(in) {
    auto const below = [=](T const& x) { return moving::key_of(x) < bound; };
    std::copy_if(in.begin(), in.end(), std::back_inserter(chosen), below);
    std::stable_partition(partitioned.begin(), partitioned.end(), below);
    std::unique_copy(in.begin(), in.end(), std::back_inserter(firsts), same_key{});
  }
};

/// The three calls on data with guards around it.
template <class T>
void check(std::size_t n, int bound, upsweep::call_options const& options) {
  oracle::space const space;
  auto const in = moving::values<T>(n, 0, 3, unsigned(n) + 1);
  results<T> const expected(in, bound);
  Kokkos::View<T*, oracle::memory> const all("all", n + 2);
  auto const data = Kokkos::subview(all, Kokkos::make_pair(std::size_t(1), n + 1));
  auto const fill = [&] {
    oracle::fill(all, moving::guard<T>());
    oracle::assign(data, in);
  };
  auto const expect = [&](std::vector<T> const& front, std::size_t count, char const* call) {
    ASSERT_EQ(count, front.size()) << call << ", n = " << n;
    auto const found = oracle::to_host(all);
    ASSERT_TRUE(std::equal(front.begin(), front.end(), found.begin() + 1)) << call << ", n = " << n;
    ASSERT_EQ(found.front(), moving::guard<T>());
    ASSERT_EQ(found.back(), moving::guard<T>());
  };
  fill();
  expect(expected.chosen, upsweep::compact_in_place(space, data, moving::less<T>{bound}, options), "compact");
  fill();
  expect(expected.firsts, upsweep::unique_in_place(space, data, same_key{}, options), "unique");
  fill();
  auto const counts = upsweep::partition_in_place(space, data, moving::less<T>{bound}, options);
  ASSERT_EQ(counts[0], expected.chosen.size());
  expect(expected.partitioned, counts[0] + counts[1], "partition");
}

TEST(in_place_calls, errors_name_the_call) {
  oracle::space const space;
  Kokkos::View<int*, oracle::memory> const data("data", 5);
  Kokkos::View<std::size_t*, oracle::memory> const three_counts("counts", 3);
  try {
    upsweep::partition_in_place(space, data, three_counts, moving::less<int>{1});
    FAIL() << "there are two parts";
  } catch (upsweep::precondition_error const& e) {
    EXPECT_EQ(std::string(e.what()), "partition_in_place: counts has 3 entries for 2 parts");
  }
}

TYPED_TEST(in_place, as_from_a_copy) {
  upsweep::workspace ws(oracle::space{});
  for (std::size_t n : moving::sizes())
    for (int bound : {0, 1, 3, 4})  // none, a quarter, three quarters, all
      check<TypeParam>(n, bound, {.workspace = n % 2 == 0 ? &ws : nullptr});
}

// Where no other thread pays, the calling one moves elements in order, however many there are.
TYPED_TEST(in_place, on_the_calling_thread) {
  oracle::no_forks const guard;
  upsweep::workspace ws(oracle::space{});
  for (std::size_t n : moving::sizes()) check<TypeParam>(n, 1, {.workspace = n % 2 == 0 ? &ws : nullptr});
}

TEST(in_place_calls, long_elements) {
  upsweep::workspace ws(oracle::space{});
  for (std::size_t n : {0, 1, 65, 4097, 200003}) check<moving::wide>(n, 2, {.workspace = &ws});
}

TEST(in_place_calls, strided_views_and_counts_on_the_device) {
  oracle::space const space;
  std::size_t const n = 10007;
  auto const in = moving::values<tagged>(n, 0, 3);
  results<tagged> const expected(in, 2);
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  Kokkos::View<std::size_t*, oracle::memory> const counts("counts", 2);
  moving::columns<tagged> const a(in), b(in), c(in);
  upsweep::compact_in_place(space, a.from(), count, moving::less<tagged>{2});
  EXPECT_EQ(oracle::value_of(count), expected.chosen.size());
  EXPECT_EQ(moving::first(oracle::to_host(a.from()), expected.chosen.size()), expected.chosen);
  upsweep::unique_in_place(space, b.from(), count, same_key{});
  EXPECT_EQ(oracle::value_of(count), expected.firsts.size());
  EXPECT_EQ(moving::first(oracle::to_host(b.from()), expected.firsts.size()), expected.firsts);
  upsweep::partition_in_place(space, c.from(), counts, moving::less<tagged>{2});
  EXPECT_EQ(oracle::to_host(counts), (std::vector<std::uint64_t>{expected.chosen.size(), n - expected.chosen.size()}));
  EXPECT_EQ(oracle::to_host(c.from()), expected.partitioned);
}

TEST(in_place_calls, asynchronous_with_a_workspace) {
  oracle::space const space;
  auto const data = oracle::to_device(moving::values<int>(100000, 0, 9));
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  Kokkos::View<std::size_t*, oracle::memory> const counts("counts", 2);
  moving::expect_asynchronous(
      [&](auto const& o) { upsweep::compact_in_place(space, data, count, moving::less<int>{5}, o); });
  moving::expect_asynchronous([&](auto const& o) { upsweep::unique_in_place(space, data, count, same_key{}, o); });
  moving::expect_asynchronous(
      [&](auto const& o) { upsweep::partition_in_place(space, data, counts, moving::less<int>{5}, o); });
}

TEST(in_place_calls, another_instance) {
  if constexpr (oracle::has_instances<oracle::space>) {
    auto const data = oracle::to_device(std::vector<int>{1, 2, 3});
    auto const others = oracle::instances<oracle::space>(2);
    upsweep::workspace ws(others[0]);
    EXPECT_THROW(upsweep::compact_in_place(others[1], data, moving::less<int>{2}, {.workspace = &ws}),
                 upsweep::precondition_error);
    EXPECT_THROW(upsweep::unique_in_place(others[1], data, same_key{}, {.workspace = &ws}),
                 upsweep::precondition_error);
    EXPECT_THROW(upsweep::partition_in_place(others[1], data, moving::less<int>{2}, {.workspace = &ws}),
                 upsweep::precondition_error);
    EXPECT_EQ(oracle::to_host(data), (std::vector<int>{1, 2, 3}));
  }
}

/// What can be copied and not made of nothing.
struct made_of_number {
  int number;
  KOKKOS_FUNCTION explicit made_of_number(int n) : number(n) {}
};
struct make_elements {
  Kokkos::View<made_of_number*, oracle::memory> to;
  KOKKOS_FUNCTION void operator()(int i) const { to(i) = made_of_number(i); }
};
struct is_odd {
  KOKKOS_FUNCTION bool operator()(made_of_number const& x) const { return x.number % 2 == 1; }
};

TEST(in_place_calls, elements_without_a_default) {
  oracle::space const space;
  constexpr int n = 1001;
  Kokkos::View<made_of_number*, oracle::memory> const data(Kokkos::view_alloc("data", Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for(Kokkos::RangePolicy<oracle::space>(space, 0, n), make_elements{data});
  auto const counts = upsweep::partition_in_place(space, data, is_odd{});
  EXPECT_EQ(counts[0], 500u);
  auto const found = oracle::to_host(data);
  for (int i = 0; i < n; ++i) EXPECT_EQ(found[std::size_t(i)].number, i < 500 ? 2 * i + 1 : 2 * (i - 500)) << i;
}

TEST(in_place_calls, defaults) {
  oracle::space const space;
  auto const data = oracle::to_device(std::vector<int>{5, 5, 5, 2, 7});
  EXPECT_EQ(upsweep::unique_in_place(space, data), 3u);
  EXPECT_EQ(moving::first(oracle::to_host(data), 3), (std::vector<int>{5, 2, 7}));
}

}  // namespace
