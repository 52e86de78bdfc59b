// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Small runs for tools that watch every access (compute-sanitizer's memcheck, racecheck, synccheck and initcheck): each
// engine once, and each class of types and of monoids with the engines of production. Label `sanitize`.

#include "../oracle/engines.hpp"
#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>
#include <vector>

namespace {

template <class Engine, class Monoid, class T>
void check(Monoid const& op, std::vector<T> const& values, T init) {
  SCOPED_TRACE(oracle::name_of<Engine>());
  oracle::space const space;
  auto const in = oracle::to_device(values);
  std::vector<T> expected(values.size());
  T running = init;
  for (std::size_t i = 0; i < values.size(); ++i) {
    expected[i] = running;
    running = op(running, values[i]);
  }
  Kokkos::View<T*, oracle::memory> const out(Kokkos::view_alloc(Kokkos::WithoutInitializing, "out"), values.size());
  // initcheck (CUDA 13.0) does not see what the hardware's bulk copies write.
  if (upsweep::scan::detail::may_be_pipelined<Engine>) oracle::fill(out, T{});
  upsweep::exclusive_scan(space, in, out, init, op, upsweep::basic_scan_options<Engine>{});
  EXPECT_EQ(oracle::to_host(out), expected);
}

template <class Monoid, class T>
void check_production(Monoid const& op, std::vector<T> const& values, T init) {
  oracle::for_production_engines([&]<class Engine>() { check<Engine>(op, values, init); });
}

TEST(sanitize, four_byte_sums_on_every_engine) {
  oracle::for_all_engines([]<class Engine>() {
    std::size_t const n = std::is_same_v<Engine, upsweep::study::sequential> ? 300 : 30011;
    check<Engine>(upsweep::plus<int>{}, oracle::random_values<int>(n, 0, 9), 1);
  });
}
TEST(sanitize, one_byte_maxima) {
  check_production(upsweep::max<std::int8_t>{}, oracle::random_values<std::int8_t>(50021, -99, 99), std::int8_t(-100));
}
TEST(sanitize, eight_byte_sums) {
  check_production(upsweep::plus<double>{}, oracle::random_values<double>(20011, 0, 9), 1.0);
}
TEST(sanitize, sixteen_byte_order) {
  std::vector<oracle::run> values(10007);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {std::int64_t(i) + 1, std::int64_t(i) + 2};
  check_production(oracle::adjacent_only{}, values, oracle::run{0, 1});
}
TEST(sanitize, counts_with_total) {
  oracle::space const space;
  auto const counts = oracle::random_values<int>(20011, 0, 9);
  auto const in = oracle::to_device(counts);
  oracle::for_production_engines([&]<class Engine>() {
    Kokkos::View<std::size_t*, oracle::memory> const offsets(Kokkos::view_alloc(Kokkos::WithoutInitializing, "offsets"),
                                                             counts.size() + 1);
    std::size_t total = 0;
    upsweep::counts_to_offsets(space, in, offsets, upsweep::into{total}, upsweep::basic_scan_options<Engine>{});
    EXPECT_EQ(total, std::accumulate(counts.begin(), counts.end(), std::uint64_t(0))) << oracle::name_of<Engine>();
  });
}

}  // namespace
