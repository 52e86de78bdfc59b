// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "moving.hpp"

#include <upsweep/pack/compact.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace {

template <class T>
class compact : public moving::fixture {};
TYPED_TEST_SUITE(compact, moving::element_types);

template <class T>
std::vector<T> expected_of(std::vector<T> const& in, std::int64_t bound) {
  std::vector<T> out;
  std::copy_if(in.begin(), in.end(), std::back_inserter(out), [=](T const& x) { return moving::key_of(x) < bound; });
  return out;
}

TYPED_TEST(compact, is_copy_if) {
  for (std::size_t n : moving::sizes())
    for (int bound : {0, 30, 50, 100}) {  // nothing, a part, all
      auto const in = moving::values<TypeParam>(n, 0, 99, unsigned(n) + 1);
      auto const expected = expected_of(in, bound);
      auto const out = moving::guarded<TypeParam>(expected.size());
      moving::less<TypeParam> const chosen{bound};
      auto const count = upsweep::compact(this->space, oracle::to_device(in), out, chosen, {.workspace = &this->ws});
      ASSERT_EQ(count, expected.size()) << n;
      ASSERT_EQ(oracle::to_host(out), moving::with_guard(expected)) << n;
    }
}

TYPED_TEST(compact, strided_views_and_a_count_on_the_device) {
  using T = TypeParam;
  std::size_t const n = 10007;
  auto const in = moving::values<T>(n, 0, 99);
  moving::columns<T> const table(in);
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  upsweep::compact(this->space, table.from(), table.to(), count, moving::less<T>{40});
  auto const expected = expected_of(in, 40);
  ASSERT_EQ(oracle::value_of(count), expected.size());
  EXPECT_EQ(moving::first(oracle::to_host(table.to()), expected.size()), expected);
}

struct multiple_of {
  std::size_t divisor;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i % divisor == 0; }
};

TEST(compact_calls, indices) {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : moving::sizes()) {
    std::vector<std::int32_t> expected;
    for (std::size_t i = 0; i < n; i += 3) expected.push_back(std::int32_t(i));
    Kokkos::View<std::int32_t*, oracle::memory> const out("out", n);
    auto const count = upsweep::compact_indices(space, n, out, multiple_of{3}, {.workspace = &ws});
    ASSERT_EQ(moving::first(oracle::to_host(out), count), expected) << n;
    Kokkos::View<std::size_t, oracle::memory> const on_device("count");
    upsweep::compact_indices(space, n, out, on_device, multiple_of{3}, {.workspace = &ws});
    ASSERT_EQ(oracle::value_of(on_device), expected.size());
  }
  Kokkos::View<std::int8_t*, oracle::memory> const narrow("narrow", 200);
  EXPECT_EQ(upsweep::compact_indices(space, 128, narrow, multiple_of{127}), 2u);
  EXPECT_THROW(upsweep::compact_indices(space, 129, narrow, multiple_of{127}), upsweep::overflow_error);
  EXPECT_THROW(upsweep::compact_indices(space, -1, narrow, multiple_of{127}), upsweep::precondition_error);
}

TEST(compact_calls, bad_arguments) {
  oracle::space const space;
  moving::ranges const part;
  moving::less<int> const all{1};
  EXPECT_THROW(upsweep::compact(space, part(0, 100), part(50, 150), all), upsweep::precondition_error);
  EXPECT_THROW(upsweep::compact(space, part(0, 100), part(0, 100), all), upsweep::precondition_error);
  EXPECT_EQ(upsweep::compact(space, part(0, 100), part(100, 200), all), 100u);
  // Too short: what there is room for, and no more.
  oracle::fill(part(100, 200), 5);
  try {
    upsweep::compact(space, part(0, 100), part(100, 130), all);
    FAIL() << "nothing thrown";
  } catch (upsweep::overflow_error const& e) {
    EXPECT_EQ(std::string(e.what()).rfind("compact: 100 results, but the output has room for 30", 0), 0u) << e.what();
  }
  auto const found = oracle::to_host(part(100, 200));
  EXPECT_EQ(std::count(found.begin(), found.begin() + 30, 0), 30);
  EXPECT_EQ(std::count(found.begin() + 30, found.end(), 5), 70);
  if constexpr (oracle::has_instances<oracle::space>) {
    auto const others = oracle::instances<oracle::space>(2);
    upsweep::workspace ws(others[0]);
    EXPECT_THROW(upsweep::compact(others[1], part(0, 100), part(100, 200), all, {.workspace = &ws}),
                 upsweep::precondition_error);
  }
}

}  // namespace
