// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Rows of given lengths, for the tests of packing: what a functor emits, and what must come out.

#include "../oracle/views.hpp"

#include <upsweep/pack/pack_lists.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace ragged {

/// 24 bytes, of which no two records are alike.
struct record {
  std::int64_t row;
  double place;
  std::int32_t both;
  friend bool operator==(record const&, record const&) = default;
};

template <class T>
KOKKOS_FUNCTION T made(std::int64_t row, std::size_t place) {
  if constexpr (std::is_same_v<T, record>) return {row, double(place), std::int32_t(row * 7 + std::int64_t(place))};
  else return static_cast<T>(row * 31 + static_cast<std::int64_t>(place));
}

/// Row i has lengths(i) records. A functor that captures Views; calls(i) is how often it was called.
template <class T>
struct functor {
  Kokkos::View<int const*, oracle::memory> lengths;
  Kokkos::View<int*, oracle::memory> calls;
  bool counts_at_once = false;

  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<T> const& emit) const {
    if (calls.extent(0) != 0) Kokkos::atomic_inc(&calls(i));
    auto const n = static_cast<std::size_t>(lengths(i));
    if (counts_at_once && emit.counts_only()) return emit.add(n);
    for (std::size_t r = 0; r < n; ++r) emit(made<T>(i, r));
  }
};

template <class T>
functor<T> of(std::vector<int> const& lengths) {
  return {oracle::to_device(lengths), {}};
}

/// Rows of 9000 records. With `fails` rows from 77 on fail; with `impure` rows from 30 on make more at each call.
struct misbehaving {
  Kokkos::View<int*, oracle::memory> calls;
  bool fails, impure;
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    int const call = Kokkos::atomic_fetch_add(&calls(i), 1);
    if (fails && i >= 77) emit.fail(5);
    for (int k = 0; k < 9000 + (impure && i >= 30 ? call : 0); ++k) emit(k);
  }
};

template <class T>
struct expectation {
  std::vector<std::size_t> offsets{0};
  std::vector<T> values;
  explicit expectation(std::vector<int> const& lengths) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      for (int r = 0; r < lengths[i]; ++r) values.push_back(made<T>(std::int64_t(i), std::size_t(r)));
      offsets.push_back(values.size());
    }
  }
};

template <class T>
void expect_equal(upsweep::lists<T> const& found, expectation<T> const& expected, char const* what) {
  ASSERT_EQ(oracle::to_host(found.offsets), expected.offsets) << what;
  ASSERT_EQ(oracle::to_host(found.values), expected.values) << what;
}

/// Lengths that strategies may trip over: none, short, longer than any buffer, one huge row, a mixture.
inline std::vector<std::vector<int>> shapes(std::size_t n) {
  std::vector<std::vector<int>> all(5, std::vector<int>(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    all[1][i] = int(i % 9);
    all[2][i] = 200 + int(i % 3);
    all[4][i] = i % 50 == 7 ? 300 : int(i * 7 % 40);
  }
  if (n > 0) all[3][n / 2] = 100000;
  // Long rows, and everything else, are kept to what a quick test can take.
  if (n > 5000) all.erase(all.begin() + 2);
  return all;
}

}  // namespace ragged
