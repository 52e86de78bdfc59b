// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Small runs for tools that watch every access (compute-sanitizer's memcheck, racecheck, synccheck and initcheck): each
// engine, class of types and class of monoids once. Label `sanitize`.

#include "../oracle/engines.hpp"
#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/exclusive_scan_with_total.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace {

using upsweep::engine;

template <class Monoid, class T>
void check(Monoid const& op, std::vector<T> const& values, T init) {
  oracle::space const space;
  auto const in = oracle::to_device(values);
  std::vector<T> expected(values.size());
  T running = init;
  for (std::size_t i = 0; i < values.size(); ++i) {
    expected[i] = running;
    running = op(running, values[i]);
  }
  for (engine e : oracle::all_engines) {
    std::size_t const n = e == engine::sequential ? 300 : values.size();
    Kokkos::View<T*, oracle::memory> const out(Kokkos::view_alloc(Kokkos::WithoutInitializing, "out"), n);
    // initcheck (CUDA 13.0) does not see what the hardware's bulk copies write.
    if (e == engine::automatic || e == engine::pipelined) Kokkos::deep_copy(out, T{});
    upsweep::exclusive_scan(space, Kokkos::subview(in, std::make_pair(std::size_t(0), n)), out, init, op, {.engine = e});
    EXPECT_EQ(oracle::to_host(out), std::vector<T>(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(n)))
        << oracle::name_of(e);
  }
}

TEST(sanitize, four_byte_sums) { check(upsweep::plus<int>{}, oracle::random_values<int>(30011, 0, 9), 1); }
TEST(sanitize, one_byte_maxima) { check(upsweep::max<std::int8_t>{}, oracle::random_values<std::int8_t>(50021, -99, 99), std::int8_t(-100)); }
TEST(sanitize, eight_byte_sums) { check(upsweep::plus<double>{}, oracle::random_values<double>(20011, 0, 9), 1.0); }
TEST(sanitize, sixteen_byte_order) {
  std::vector<oracle::run> values(10007);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {std::int64_t(i) + 1, std::int64_t(i) + 2};
  check(oracle::adjacent_only{}, values, oracle::run{0, 1});
}
TEST(sanitize, counts_with_total) {
  oracle::space const space;
  auto const counts = oracle::random_values<int>(20011, 0, 9);
  auto const in = oracle::to_device(counts);
  for (engine e : oracle::parallel_engines) {
    Kokkos::View<std::size_t*, oracle::memory> const offsets(Kokkos::view_alloc(Kokkos::WithoutInitializing, "offsets"), counts.size() + 1);
    std::uint64_t total = 0;
    upsweep::exclusive_scan_with_total(space, in, offsets, total, {.engine = e});
    EXPECT_EQ(total, std::accumulate(counts.begin(), counts.end(), std::uint64_t(0)));
  }
}

}  // namespace
