// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/monoids.hpp"
#include "../oracle/values.hpp"
#include "moving.hpp"

#include <upsweep/pack/reduce_by_key.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace {

using upsweep::plus;

/// n keys in runs about `length` long, the longest ones over several groups and tiles.
template <class Key>
std::vector<Key> keys_in_runs(std::size_t n, std::size_t length) {
  std::vector<Key> keys(n);
  auto const lengths = oracle::random_values<int>(n, 1, int(2 * length), 7);
  for (std::size_t i = 0, run = 0; i < n; ++run)
    for (int k = 0; k < lengths[run] && i < n; ++k) keys[i++] = static_cast<Key>(run % 100);
  return keys;
}

template <class Key, class Value>
struct reduced {
  std::vector<Key> keys;
  std::vector<Value> values;
};

/// A plain loop.
template <class Monoid, class Key, class Value>
reduced<Key, Value> by_a_loop(std::vector<Key> const& keys, std::vector<Value> const& values) {
  Monoid const op;
  reduced<Key, Value> result;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || !(keys[i] == keys[i - 1])) {
      result.keys.push_back(keys[i]);
      result.values.push_back(values[i]);
    } else {
      result.values.back() = op(result.values.back(), values[i]);
    }
  }
  return result;
}

/// std::pair of the type of keys and the monoid.
template <class Pair>
struct reduce_by_key : testing::Test {
  using K = typename Pair::first_type;
  using M = typename Pair::second_type;
  using T = typename M::value_type;
};
using keys_and_monoids =
    testing::Types<std::pair<std::int32_t, plus<std::int32_t>>, std::pair<std::int8_t, oracle::affine_maps>,
                   std::pair<std::int64_t, plus<double>>>;
TYPED_TEST_SUITE(reduce_by_key, keys_and_monoids);

TYPED_TEST(reduce_by_key, is_what_a_loop_finds) {
  using K = typename TestFixture::K;
  using T = typename TestFixture::T;
  using M = typename TestFixture::M;
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : moving::sizes())
    for (std::size_t length : {1u, 5u, 300u, 3000000u}) {
      auto const keys = keys_in_runs<K>(n, length);
      auto const values = oracle::exact_values<T>(n);
      auto const expected = by_a_loop<M>(keys, values);
      std::size_t const count = expected.keys.size();
      // One place more than there are runs: nothing is written there.
      Kokkos::View<K*, oracle::memory> const out_keys("keys", count + 1);
      Kokkos::View<T*, oracle::memory> const out("values", count + 1);
      oracle::fill(out_keys, K(101));
      auto const found = upsweep::reduce_by_key(space, oracle::to_device(keys), oracle::to_device(values), out_keys,
                                                out, M{}, upsweep::equal_keys{}, {.workspace = &ws});
      ASSERT_EQ(found, count) << n << " " << length;
      auto with_guard = expected.keys;
      with_guard.push_back(K(101));
      ASSERT_EQ(oracle::to_host(out_keys), with_guard) << n << " " << length;
      ASSERT_TRUE(moving::first(oracle::to_host(out), count) == expected.values) << n << " " << length;
      ASSERT_TRUE(oracle::to_host(out)[count] == T{}) << n << " " << length;
    }
}

/// 1 for each element: sums are the runs' lengths.
struct ones {
  KOKKOS_FUNCTION std::int32_t operator()(std::size_t) const { return 1; }
};
struct same_ten {
  KOKKOS_FUNCTION bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

TEST(reduce_by_key_calls, strided_views_functors_and_counts_on_the_device) {
  oracle::space const space;
  std::size_t const n = 100003;
  auto const keys = keys_in_runs<int>(n, 40);
  std::vector<int> tens(n);
  std::transform(keys.begin(), keys.end(), tens.begin(), [](int key) { return key / 10; });
  auto const expected = by_a_loop<plus<std::int64_t>>(tens, std::vector<std::int64_t>(n, 1));
  moving::columns<int> const table(keys);
  Kokkos::View<std::int64_t**, Kokkos::LayoutRight, oracle::memory> const sums("sums", n, 2);
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  auto const out = Kokkos::subview(sums, Kokkos::ALL, 1);
  upsweep::reduce_by_key(space, table.from(), ones{}, table.to(), out, count, plus<>{}, same_ten{});
  ASSERT_EQ(oracle::value_of(count), expected.keys.size());
  EXPECT_EQ(moving::first(oracle::to_host(out), expected.values.size()), expected.values);
  auto const first_keys = moving::first(oracle::to_host(table.to()), expected.keys.size());
  for (std::size_t k = 0; k < first_keys.size(); ++k) ASSERT_EQ(first_keys[k] / 10, expected.keys[k]) << k;
}

// GPUs need a scan for them, as CPUs do for all keys.
TEST(reduce_by_key_calls, long_keys) {
  using moving::wide;
  oracle::space const space;
  std::size_t const n = 300001;
  auto const numbers = keys_in_runs<int>(n, 100);
  std::vector<wide> keys(n);
  std::transform(numbers.begin(), numbers.end(), keys.begin(), [](int key) { return wide{key, 0}; });
  auto const values = oracle::random_values<std::int64_t>(n, -9, 9);
  auto const expected = by_a_loop<plus<std::int64_t>>(keys, values);
  Kokkos::View<wide*, oracle::memory> const out_keys("keys", expected.keys.size());
  Kokkos::View<std::int64_t*, oracle::memory> const out("values", expected.keys.size());
  upsweep::reduce_by_key(space, oracle::to_device(keys), oracle::to_device(values), out_keys, out);
  EXPECT_EQ(oracle::to_host(out_keys), expected.keys);
  EXPECT_EQ(oracle::to_host(out), expected.values);
}

// Sums of rounded numbers: the same bits in each call.
TEST(reduce_by_key_calls, the_same_bits_in_each_call) {
  oracle::space const space;
  std::size_t const n = 1000003;
  auto const keys = oracle::to_device(keys_in_runs<int>(n, 20000));
  auto const in = oracle::to_device(oracle::reciprocals(n));
  Kokkos::View<int*, oracle::memory> const out_keys("keys", n);
  auto const once = [&] {
    Kokkos::View<double*, oracle::memory> const out("values", n);
    upsweep::reduce_by_key(space, keys, in, out_keys, out);
    return oracle::to_host(out);
  };
  auto const first = once();
  for (int k = 0; k < 5; ++k) ASSERT_EQ(std::memcmp(first.data(), once().data(), n * sizeof(double)), 0);
}

TEST(reduce_by_key_calls, bad_arguments) {
  oracle::space const space;
  moving::ranges const part;
  auto const keys = part(0, 100), values = part(100, 200);
  part.number_elements();
  EXPECT_THROW(upsweep::reduce_by_key(space, keys, values, keys, part(300, 400)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::reduce_by_key(space, keys, values, part(50, 150), part(300, 400)), upsweep::precondition_error);
  EXPECT_THROW(upsweep::reduce_by_key(space, keys, values, part(200, 300), part(150, 250)),
               upsweep::precondition_error);
  EXPECT_THROW(upsweep::reduce_by_key(space, keys, values, part(200, 300), part(200, 300)),
               upsweep::precondition_error);
  EXPECT_THROW(upsweep::reduce_by_key(space, keys, values, part(200, 300), part(300, 350)),
               upsweep::precondition_error);
  EXPECT_THROW(upsweep::reduce_by_key(space, keys, part(100, 150), part(200, 300), part(300, 400)),
               upsweep::precondition_error);
  EXPECT_THROW(upsweep::reduce_by_key(space, keys, values, part(200, 250), part(300, 350)), upsweep::overflow_error);
  EXPECT_EQ(upsweep::reduce_by_key(space, keys, values, part(200, 300), part(300, 400)), 100u);
}

TEST(reduce_by_key_calls, outputs_that_are_too_short_have_the_first_runs) {
  oracle::space const space;
  std::size_t const n = 100003;
  auto const keys = keys_in_runs<int>(n, 3);
  auto const values = oracle::random_values<int>(n, 0, 9);
  auto const expected = by_a_loop<plus<int>>(keys, values);
  auto const device_keys = oracle::to_device(keys), device_values = oracle::to_device(values);
  moving::expect_first_ones(expected.keys, expected.values, [&](auto const& out_keys, auto const& out) {
    upsweep::reduce_by_key(space, device_keys, device_values, out_keys, out);
  });
}

TEST(reduce_by_key_calls, asynchronous_and_without_allocations_with_a_workspace) {
  oracle::space const space;
  std::size_t const n = 100003;
  auto const keys = oracle::to_device(keys_in_runs<int>(n, 10));
  Kokkos::View<int*, oracle::memory> const out_keys("keys", n), out("values", n);
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  moving::expect_asynchronous([&](auto const& options) {
    upsweep::reduce_by_key(space, keys, ones{}, out_keys, out, count, plus<>{}, upsweep::equal_keys{}, options);
  });
}

}  // namespace
