// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../contracts/tools.hpp"
#include "moving.hpp"

#include <upsweep/pack/run_length.hpp>
#include <upsweep/pack/unique.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace {

using moving::engine;
using moving::tagged;

/// Equal keys, whatever else differs.
template <class T>
struct same_key {
  KOKKOS_FUNCTION bool operator()(T const& a, T const& b) const { return moving::key_of(a) == moving::key_of(b); }
};

template <class T>
class runs : public testing::Test {};
using element_types = testing::Types<std::int8_t, std::int32_t, double, tagged>;
TYPED_TEST_SUITE(runs, element_types);

template <class T>
struct expectation {
  std::vector<T> values;
  std::vector<std::int64_t> lengths;
};
template <class T>
expectation<T> runs_of(std::vector<T> const& in) {
  expectation<T> result;
  std::unique_copy(in.begin(), in.end(), std::back_inserter(result.values), same_key<T>{});
  for (auto at = in.begin(); at != in.end();) {
    auto const end = std::find_if(at, in.end(), [&](T const& x) { return moving::key_of(x) != moving::key_of(*at); });
    result.lengths.push_back(end - at);
    at = end;
  }
  return result;
}

/// n elements in runs about `length` long, the longest ones over several groups and tiles.
template <class T>
std::vector<T> in_runs(std::size_t n, std::size_t length) {
  auto result = moving::values<T>(n, 0, 9, unsigned(n) + 1);
  auto const lengths = oracle::random_values<int>(n, 1, int(2 * length), 7);
  for (std::size_t i = 0, run = 0; i < n; i += std::size_t(lengths[run++]))
    for (std::size_t k = i + 1; k < std::min(n, i + std::size_t(lengths[run])); ++k) {
      if constexpr (requires { result[k].from; }) result[k].key = result[i].key;
      else result[k] = result[i];
    }
  return result;
}

TYPED_TEST(runs, are_what_the_standard_library_finds) {
  using T = TypeParam;
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : moving::sizes())
    for (std::size_t length : {1u, 5u, 300u, 3000000u}) {
      auto const in = in_runs<T>(n, length);
      auto const expected = runs_of(in);
      std::size_t const count = expected.values.size();
      auto const device = oracle::to_device(in);
      // One more than there are runs: nothing is written behind the last.
      T const guard = moving::values<T>(1, 77, 77)[0];
      auto const out = oracle::to_device(std::vector<T>(count + 1, guard)), values = oracle::to_device(std::vector<T>(count + 1, guard));
      auto const lengths = oracle::to_device(std::vector<std::int64_t>(count + 1, -1));
      ASSERT_EQ(upsweep::unique(space, device, out, same_key<T>{}, {.workspace = &ws}), count) << n;
      ASSERT_EQ(upsweep::run_length(space, device, values, lengths, same_key<T>{}, {.workspace = &ws}), count) << n;
      auto with_guard = expected;
      with_guard.values.push_back(guard);
      with_guard.lengths.push_back(-1);
      ASSERT_EQ(oracle::to_host(out), with_guard.values) << n;
      ASSERT_EQ(oracle::to_host(values), with_guard.values) << n;
      ASSERT_EQ(oracle::to_host(lengths), with_guard.lengths) << n;
    }
}

TYPED_TEST(runs, strided_views_and_counts_on_the_device) {
  using T = TypeParam;
  oracle::space const space;
  std::size_t const n = 10007;
  auto const in = in_runs<T>(n, 40);
  auto const expected = runs_of(in);
  Kokkos::View<T**, Kokkos::LayoutRight, oracle::memory> const table("table", n, 3);
  Kokkos::View<std::int32_t**, Kokkos::LayoutRight, oracle::memory> const numbers("numbers", n, 2);
  auto const from = Kokkos::subview(table, Kokkos::ALL, 0), to = Kokkos::subview(table, Kokkos::ALL, 2);
  auto const lengths = Kokkos::subview(numbers, Kokkos::ALL, 1);
  Kokkos::deep_copy(from, oracle::to_device(in));
  Kokkos::View<std::uint64_t, oracle::memory> const count("count");
  auto const check_count = [&] {
    std::uint64_t found = 0;
    Kokkos::deep_copy(found, count);
    EXPECT_EQ(found, expected.values.size());
    EXPECT_EQ(moving::first(oracle::to_host(to), expected.values.size()), expected.values);
  };
  upsweep::unique(space, from, to, same_key<T>{}, count);
  check_count();
  Kokkos::deep_copy(to, from);
  upsweep::run_length(space, from, to, lengths, same_key<T>{}, count);
  check_count();
  auto const found = oracle::to_host(lengths);
  EXPECT_EQ(std::vector<std::int64_t>(found.begin(), found.begin() + std::ptrdiff_t(expected.lengths.size())), expected.lengths);
}

TEST(run_calls, every_engine_gives_the_same) {
  oracle::space const space;
  std::size_t const n = 300001;
  auto const in = in_runs<int>(n, 100);
  auto const device = oracle::to_device(in);
  auto const expected = runs_of(in);
  for (engine e : moving::engines()) {
    Kokkos::View<int*, oracle::memory> const values("values", expected.values.size());
    Kokkos::View<std::int64_t*, oracle::memory> const lengths("lengths", expected.values.size());
    upsweep::run_length(space, device, values, lengths, upsweep::equal_keys{}, {.engine = e});
    EXPECT_EQ(oracle::to_host(values), expected.values) << "engine " << int(e);
    EXPECT_EQ(oracle::to_host(lengths), expected.lengths) << "engine " << int(e);
  }
}

TEST(run_calls, bad_arguments) {
  oracle::space const space;
  Kokkos::View<int*, oracle::memory> const data("data", 400);
  auto const part = [&](int begin, int end) { return Kokkos::subview(data, Kokkos::make_pair(begin, end)); };
  auto const in = part(0, 200);
  for (int i = 0; i < 200; ++i) Kokkos::deep_copy(Kokkos::subview(data, i), i);
  EXPECT_THROW(upsweep::unique(space, in, part(100, 300)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::unique(space, in, in), upsweep::precondition_error);
  EXPECT_THROW(upsweep::unique(space, in, part(200, 300)), upsweep::overflow_error);
  Kokkos::View<int*, oracle::memory> const lengths("lengths", 200);
  Kokkos::View<std::int8_t*, oracle::memory> const narrow("narrow", 200);
  EXPECT_THROW(upsweep::run_length(space, in, in, lengths), upsweep::precondition_error);
  EXPECT_THROW(upsweep::run_length(space, in, part(200, 400), part(200, 400)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::run_length(space, in, part(200, 300), lengths), upsweep::precondition_error);
  EXPECT_THROW(upsweep::run_length(space, in, part(200, 400), narrow), upsweep::overflow_error);
  EXPECT_EQ(upsweep::run_length(space, in, part(200, 400), lengths), 200u);
  EXPECT_THROW(upsweep::run_length(space, in, part(200, 250), Kokkos::subview(lengths, Kokkos::make_pair(0, 50))), upsweep::overflow_error);
}

TEST(run_calls, asynchronous_and_without_allocations_with_a_workspace) {
  oracle::space const space;
  std::size_t const n = 100003;
  auto const in = oracle::to_device(in_runs<int>(n, 10));
  Kokkos::View<int*, oracle::memory> const values("values", n), lengths("lengths", n);
  Kokkos::View<std::uint64_t, oracle::memory> const count("count");
  for (engine e : moving::engines()) {
    upsweep::workspace ws(space);
    auto const call = [&] {
      upsweep::unique(space, in, values, upsweep::equal_keys{}, count, {.engine = e, .workspace = &ws});
      upsweep::run_length(space, in, values, lengths, upsweep::equal_keys{}, count, {.engine = e, .workspace = &ws});
    };
    call();
    space.fence();
    contracts::recorder const seen;
    call();
    auto const fences = contracts::recorder::fences(), allocations = contracts::recorder::allocations();
    EXPECT_TRUE(fences.empty()) << int(e) << fences.front();
    EXPECT_TRUE(allocations.empty()) << int(e) << allocations.front();
    space.fence();
  }
}

}  // namespace
