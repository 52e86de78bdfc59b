// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What the tests of the moving calls share: elements of several sizes, functors that may run on a device, outputs that
// show what was written where, and the promises that all calls make.

#include "../contracts/tools.hpp"
#include "../oracle/instances.hpp"
#include "../oracle/views.hpp"

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/workspace.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace moving {

/// 16 bytes: a key and where it came from, for stability.
struct tagged {
  std::int64_t key;
  std::int64_t from;
  friend bool operator==(tagged const&, tagged const&) = default;
};

/// 72 bytes: more than GPUs select in one pass, so that they mark elements, too.
struct wide {
  std::int64_t key;
  std::int64_t from;
  std::int64_t rest[7] = {};
  friend bool operator==(wide const&, wide const&) = default;
};

using element_types = testing::Types<std::int8_t, std::int32_t, double, tagged>;

/// What tests with each type of element share.
struct fixture : testing::Test {
  oracle::space const space;
  upsweep::workspace ws{space};
};

template <class T>
KOKKOS_FUNCTION std::int64_t key_of(T const& x) {
  return static_cast<std::int64_t>(x);
}
KOKKOS_FUNCTION inline std::int64_t key_of(tagged const& x) { return x.key; }
KOKKOS_FUNCTION inline std::int64_t key_of(wide const& x) { return x.key; }

/// n elements with keys from lo to hi.
template <class T>
std::vector<T> values(std::size_t n, int lo, int hi, unsigned seed = 1) {
  auto const keys = oracle::random_values<int>(n, lo, hi, seed);
  std::vector<T> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (requires { result[i].from; }) result[i] = {keys[i], static_cast<std::int64_t>(i)};
    else result[i] = static_cast<T>(keys[i]);
  }
  return result;
}

/// Around groups of 64, tiles and blocks.
inline std::vector<std::size_t> sizes() {
  return {0,   1,    2,    7,    8,    9,    63,   64,    65,    127,     128,
          129, 1023, 1024, 1025, 4095, 4096, 4097, 65535, 65537, 1000000, (1u << 21) + 1};
}

/// Elements as they should stand, and the size of each part or run of them.
template <class T, class Count>
struct counted_elements {
  std::vector<T> elements;
  std::vector<Count> counts;
};

/// Counts calls for each key: a functor that captures Views.
template <class T>
struct counting_less {
  std::int64_t bound;
  Kokkos::View<int*, oracle::memory> calls;
  KOKKOS_FUNCTION bool operator()(T const& x) const {
    Kokkos::atomic_inc(&calls(x.from));
    return x.key < bound;
  }
};

template <class T>
struct less {
  std::int64_t bound;
  KOKKOS_FUNCTION bool operator()(T const& x) const { return key_of(x) < bound; }
};

/// A host vector's first `count` elements and then what was there before.
template <class T>
std::vector<T> first(std::vector<T> v, std::size_t count) {
  v.resize(count);
  return v;
}

/// An output for `count` elements with a guard behind them, and what it must hold in the end: nothing is written
/// behind the last.
template <class T>
T guard() {
  return values<T>(1, 77, 77)[0];
}
template <class T>
Kokkos::View<T*, oracle::memory> guarded(std::size_t count) {
  return oracle::to_device(std::vector<T>(count + 1, guard<T>()));
}
template <class T>
std::vector<T> with_guard(std::vector<T> elements) {
  elements.push_back(guard<T>());
  return elements;
}

/// Two outputs of call(first, second) that are too short: it throws, and they have the first ones of what is expected.
template <class A, class B, class Call>
void expect_first_ones(std::vector<A> const& expected_a, std::vector<B> const& expected_b, Call const& call) {
  ASSERT_GT(expected_a.size(), 20000u);
  for (std::size_t room :
       {std::size_t(0), std::size_t(1), std::size_t(10000), std::size_t(20000), expected_a.size() - 1}) {
    SCOPED_TRACE(room);
    auto const a = guarded<A>(room);
    auto const b = guarded<B>(room);
    auto const before_guard = Kokkos::make_pair(std::size_t(0), room);
    EXPECT_THROW(call(Kokkos::subview(a, before_guard), Kokkos::subview(b, before_guard)), upsweep::overflow_error);
    EXPECT_EQ(oracle::to_host(a), with_guard(first(expected_a, room)));
    EXPECT_EQ(oracle::to_host(b), with_guard(first(expected_b, room)));
  }
}

/// Strided input and output: columns of one table.
template <class T>
struct columns {
  Kokkos::View<T**, Kokkos::LayoutRight, oracle::memory> table;
  explicit columns(std::vector<T> const& in) : table("table", in.size(), 3) { oracle::assign(from(), in); }
  auto from() const { return Kokkos::subview(table, Kokkos::ALL, 0); }
  auto to() const { return Kokkos::subview(table, Kokkos::ALL, 2); }
};

/// Ranges of one array, for what calls have to say of overlaps.
struct ranges {
  Kokkos::View<int*, oracle::memory> data{"data", 400};
  void number_elements() const {
    std::vector<int> numbers(data.extent(0));
    std::iota(numbers.begin(), numbers.end(), 0);
    oracle::assign(data, numbers);
  }
  auto operator()(int begin, int end) const { return Kokkos::subview(data, Kokkos::make_pair(begin, end)); }
};

/// call(options) with a workspace: from the second time on it neither waits nor allocates.
template <class Call>
void expect_asynchronous(Call const& call, std::string_view label = {}) {
  oracle::space const space;
  upsweep::workspace ws(space);
  upsweep::call_options const options{.workspace = &ws, .label = label};
  contracts::expect_quiet(space, [&] { call(options); });
}

}  // namespace moving
