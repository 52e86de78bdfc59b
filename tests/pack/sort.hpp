// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What the tests of sorts compare with: std::stable_sort, with an order of keys that is written another way.

#include "../oracle/views.hpp"

#include <upsweep/pack/sort_options.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace sorted {

/// Every type of key.
using key_types = testing::Types<std::int8_t, std::uint8_t, char, std::int16_t, std::uint16_t, std::int32_t,
                                 std::uint32_t, std::int64_t, std::uint64_t, float, double>;

/// The public sorts, for all types of keys. They are compiled in sort_calls.cpp, once for all tests.
template <class Key>
void sort(Kokkos::View<Key*, oracle::memory> const& keys, upsweep::sort_options const& options = {});
template <class Key>
void sort_by_key(Kokkos::View<Key*, oracle::memory> const& keys,
                 Kokkos::View<std::uint32_t*, oracle::memory> const& values, upsweep::sort_options const& options = {});

enum class pattern { random, few, equal, ascending, descending };

/// n keys whose bits are random (floating-point keys: with NaNs, infinities and zeros among them), or less so.
template <class Key>
std::vector<Key> make_keys(std::size_t n, pattern which = pattern::random, unsigned seed = 1) {
  std::mt19937_64 engine(seed);
  std::vector<Key> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t bits = which == pattern::random ? engine()
                         : which == pattern::few  ? engine() % 7 * 0x0101010101010101u
                                                  : 42;
    if constexpr (std::is_same_v<Key, bool>) keys[i] = (bits & 1) != 0;
    else std::memcpy(&keys[i], &bits, sizeof(Key));
    if constexpr (std::is_floating_point_v<Key>) {
      using limits = std::numeric_limits<Key>;
      Key const special[] = {
          limits::quiet_NaN(), -limits::quiet_NaN(), limits::infinity(), -limits::infinity(), Key(0), -Key(0)};
      if (which == pattern::random && i % 5 == 0) keys[i] = special[engine() % 6];
    }
    if (which == pattern::ascending) keys[i] = static_cast<Key>(i * 100 / (n + 1));
    if (which == pattern::descending) keys[i] = static_cast<Key>((n - i) * 100 / (n + 1));
  }
  return keys;
}

/// The key among all keys, counted from the least: by sign and magnitude.
template <class Key>
std::uint64_t place(Key key) {
  if constexpr (std::is_floating_point_v<Key>) {
    using word = std::conditional_t<sizeof(Key) == 4, std::int32_t, std::int64_t>;
    auto const bits = std::bit_cast<word>(key);
    auto const magnitude = static_cast<std::uint64_t>(bits & std::numeric_limits<word>::max());
    auto const half = static_cast<std::uint64_t>(std::numeric_limits<word>::max()) + 1;
    return bits < 0 ? half - 1 - magnitude : half + magnitude;
  } else {
    return static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(std::numeric_limits<Key>::min());
  }
}

/// The permutation that sorts keys.
template <class Key>
std::vector<std::size_t> order_of(std::vector<Key> const& keys, bool descending = false, int first = 0, int last = 64) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  bool const whole = first == 0 && last == 64;
  auto const bits = [&](Key key) {
    return first == last ? std::uint64_t(0) : place(key) << (64 - last) >> (64 - last + first);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    Key const left = keys[descending ? b : a], right = keys[descending ? a : b];
    return whole ? std::strong_order(left, right) < 0 : bits(left) < bits(right);
  });
  return order;
}

template <class T>
std::vector<T> permuted(std::vector<T> const& in, std::vector<std::size_t> const& order) {
  std::vector<T> out;
  out.reserve(in.size());
  for (std::size_t i : order) out.push_back(in[i]);
  return out;
}

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace sorted
