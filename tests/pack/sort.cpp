// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "sort.hpp"

#include <upsweep/pack/sort.hpp>

namespace {

using oracle::memory;
using oracle::space;
using sorted::pattern;
using upsweep::sort_options;
using upsweep::sort_order;

/// Sizes around insertion, runs of threads, lines and tiles.
std::vector<std::size_t> sizes() {
  return {0, 1, 2, 3, 79, 80, 81, 255, 257, 3839, 3840, 3841, 7681, 16383, 16384, 16385, 100003};
}

template <class Key>
void check(std::vector<Key> const& keys, sort_options const& options) {
  std::vector<std::uint32_t> values(keys.size());
  std::iota(values.begin(), values.end(), 0u);
  int const last = options.last_bit == sort_options::all_bits ? 64 : options.last_bit;
  auto const order = sorted::order_of(keys, options.order == sort_order::descending, options.first_bit, last);
  auto const expected = sorted::permuted(keys, order);
  auto const alone = oracle::to_device(keys);
  sorted::sort(alone, options);
  EXPECT_TRUE(sorted::same_bits(oracle::to_host(alone), expected)) << keys.size();
  auto const both = oracle::to_device(keys);
  auto const moved = oracle::to_device(values);
  sorted::sort_by_key(both, moved, options);
  EXPECT_TRUE(sorted::same_bits(oracle::to_host(both), expected)) << keys.size();
  EXPECT_EQ(oracle::to_host(moved), sorted::permuted(values, order)) << keys.size();
}

template <class Key>
class sort_keys : public testing::Test {};
TYPED_TEST_SUITE(sort_keys, sorted::key_types);

TYPED_TEST(sort_keys, both_orders_at_all_sizes) {
  upsweep::workspace ws{space{}};
  for (std::size_t n : sizes()) {
    check(sorted::make_keys<TypeParam>(n), {});
    check(sorted::make_keys<TypeParam>(n), {.workspace = &ws, .label = "test", .order = sort_order::descending});
  }
}

TYPED_TEST(sort_keys, patterns) {
  for (auto which : {pattern::few, pattern::equal, pattern::ascending, pattern::descending})
    for (std::size_t n : {std::size_t(40), std::size_t(1000), std::size_t(70001)}) {
      check(sorted::make_keys<TypeParam>(n, which), {});
      check(sorted::make_keys<TypeParam>(n, which), {.order = sort_order::descending});
    }
}

TYPED_TEST(sort_keys, ranges_of_bits) {
  int const bits = 8 * sizeof(TypeParam);
  for (std::size_t n : {std::size_t(30), std::size_t(5000), std::size_t(40001)}) {
    auto const keys = sorted::make_keys<TypeParam>(n);
    for (auto [first, last] :
         {std::pair(0, 1), {3, 8}, {0, bits}, {bits - 1, bits}, {bits / 4, bits - 1}, {5, 5}, {bits, bits}})
      for (auto order : {sort_order::ascending, sort_order::descending})
        check(keys, {.order = order, .first_bit = first, .last_bit = last});
    check(keys, {.first_bit = bits / 2});
  }
}

TEST(sort, a_million) {
  check(sorted::make_keys<std::uint32_t>(1000000), {});
  check(sorted::make_keys<double>(1000000), {.order = sort_order::descending});
  check(sorted::make_keys<std::int8_t>(1000000), {});
}

TEST(sort, floats_in_total_order) {
  float const nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  std::vector<float> const ascending{-nan, -inf, -1, -1e-45f, -0.0f, 0.0f, 1e-45f, 1, inf, nan};
  auto shuffled = ascending;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(3));
  auto const keys = oracle::to_device(shuffled);
  sorted::sort(keys);
  EXPECT_TRUE(sorted::same_bits(oracle::to_host(keys), ascending));
  // The same in the middle of many.
  std::vector<float> many(20000, 0.5f);
  std::copy(shuffled.begin(), shuffled.end(), many.begin() + 7000);
  check(many, {});
}

TEST(sort, truth_values) {
  std::size_t const n = 1001;
  Kokkos::View<bool*, Kokkos::HostSpace> host("host", n);
  for (std::size_t i = 0; i < n; ++i) host(i) = i % 3 == 1;
  auto const keys = Kokkos::create_mirror_view_and_copy(memory(), host);
  upsweep::sort(space{}, keys);
  Kokkos::deep_copy(host, keys);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(host(i), i >= n - 334) << i;
}

template <std::size_t Bytes>
struct record {
  unsigned char bytes[Bytes];
  friend bool operator==(record const& a, record const& b) { return std::memcmp(a.bytes, b.bytes, Bytes) == 0; }
};

template <class Key, class Value>
void check_values() {
  for (std::size_t n : {std::size_t(20), std::size_t(1000), std::size_t(50001), std::size_t(300000)}) {
    auto const keys = sorted::make_keys<Key>(n, pattern::random, 5);
    std::vector<Value> values(n);
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(static_cast<void*>(&values[i]), &i, std::min(sizeof(i), sizeof(Value)));
    auto const device_keys = oracle::to_device(keys);
    auto const device_values = oracle::to_device(values);
    upsweep::sort_by_key(space{}, device_keys, device_values);
    EXPECT_TRUE(sorted::same_bits(oracle::to_host(device_values), sorted::permuted(values, sorted::order_of(keys))))
        << n;
  }
}

TEST(sort, values_of_any_size) {
  check_values<std::uint32_t, record<1>>();
  check_values<std::int16_t, record<3>>();
  check_values<std::int32_t, record<12>>();
  check_values<double, record<32>>();
  check_values<std::uint8_t, record<200>>();
  check_values<std::uint64_t, double>();
  check_values<float, std::uint16_t>();
}

TEST(sort, views_that_begin_anywhere_and_nothing_around_them_changes) {
  for (std::size_t n : {std::size_t(10), std::size_t(3000), std::size_t(200001)})
    for (std::size_t offset : {1u, 3u, 15u, 16u}) {
      auto keys = sorted::make_keys<std::int32_t>(n + 40);
      std::vector<std::int64_t> values(n + 40);
      std::iota(values.begin(), values.end(), 0);
      auto const device_keys = oracle::to_device(keys);
      auto const device_values = oracle::to_device(values);
      upsweep::sort_by_key(space{}, Kokkos::subview(device_keys, std::pair(offset, offset + n)),
                           Kokkos::subview(device_values, std::pair(offset, offset + n)));
      std::vector<std::int32_t> const part(keys.begin() + offset, keys.begin() + offset + n);
      auto const order = sorted::order_of(part);
      for (std::size_t i = 0; i < n; ++i) {
        values[offset + i] = static_cast<std::int64_t>(offset + order[i]);
        keys[offset + i] = part[order[i]];
      }
      EXPECT_EQ(oracle::to_host(device_keys), keys) << n << " " << offset;
      EXPECT_EQ(oracle::to_host(device_values), values) << n << " " << offset;
    }
}

TEST(sort, strided_views_interleaved) {
  for (std::size_t n : {std::size_t(2), std::size_t(45), std::size_t(30000)}) {
    auto const keys = sorted::make_keys<std::int32_t>(n, pattern::few);
    Kokkos::View<std::int32_t* [3], Kokkos::LayoutRight, memory> const table("table", n);
    oracle::host_copy const host(table);
    for (std::size_t i = 0; i < n; ++i)
      host(i, 0) = keys[i], host(i, 1) = -7, host(i, 2) = static_cast<std::int32_t>(i);
    host.write();
    upsweep::workspace ws{space{}};
    upsweep::sort_by_key(space{}, Kokkos::subview(table, Kokkos::ALL, 0), Kokkos::subview(table, Kokkos::ALL, 2),
                         {.workspace = &ws});
    host.fetch();
    auto const order = sorted::order_of(keys);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(host(i, 0), keys[order[i]]) << i;
      ASSERT_EQ(host(i, 1), -7) << i;
      ASSERT_EQ(host(i, 2), static_cast<std::int32_t>(order[i])) << i;
    }
  }
}

TEST(sort, a_workspace_keeps_its_size) {
  upsweep::workspace ws{space{}};
  auto const keys = oracle::to_device(sorted::make_keys<std::uint32_t>(100000));
  sorted::sort(keys, {.workspace = &ws});
  auto const bytes = ws.size_bytes();
  EXPECT_GE(bytes, 400000u);
  sorted::sort(keys, {.workspace = &ws, .order = sort_order::descending});
  EXPECT_EQ(ws.size_bytes(), bytes);
}

template <class Call>
void expect_refused(Call const& call, char const* words) {
  try {
    call();
    ADD_FAILURE() << "nothing thrown: " << words;
  } catch (upsweep::precondition_error const& e) {
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
  }
}

TEST(sort, wrong_arguments) {
  Kokkos::View<int*, memory> const a("a", 100), b("b", 99);
  space const s;
  expect_refused([&] { upsweep::sort_by_key(s, a, b); }, "sort_by_key: keys has 100 elements, values has 99");
  expect_refused([&] { upsweep::sort_by_key(s, a, a); }, "overlap");
  auto const part = [&](std::size_t first) { return Kokkos::subview(a, std::pair(first, first + 50)); };
  expect_refused([&] { upsweep::sort_by_key(s, part(0), part(49)); }, "overlap");
  upsweep::sort_by_key(s, part(0), part(50));
  for (auto [first, last] : {std::pair(-1, 5), {0, 33}, {9, 8}, {0, -2}, {33, 33}})
    expect_refused([&] { sorted::sort(a, {.first_bit = first, .last_bit = last}); }, "of the 32 bits of a key");
  expect_refused([&] { sorted::sort(a, {.first_bit = 33}); }, "of the 32 bits of a key");
  Kokkos::View<int* [2], Kokkos::LayoutRight, memory> const table("table", 50);
  auto const column = Kokkos::subview(table, Kokkos::ALL, 0);
  expect_refused([&] { upsweep::sort_by_key(s, column, column); }, "overlap");
  Kokkos::View<int*, Kokkos::LayoutStride, memory> const still(a.data(), Kokkos::LayoutStride(50, 0));
  expect_refused([&] { upsweep::sort(s, still); }, "stride 0");
}

}  // namespace
