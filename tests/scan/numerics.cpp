// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/engines.hpp"
#include "../oracle/exact_sum.hpp"
#include "../oracle/instances.hpp"
#include "../oracle/views.hpp"

#include <upsweep/base/compensated_plus.hpp>
#include <upsweep/base/reproducible_plus.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using upsweep::reproducible_plus;

template <class Real>
auto bits_of(std::vector<Real> const& values) {
  std::vector<std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>> bits(values.size());
  std::memcpy(bits.data(), values.data(), values.size() * sizeof(Real));
  return bits;
}

/// Values of both signs with exponents from `low` to `high`.
template <class Real>
std::vector<Real> random_reals(std::size_t n, int low, int high, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<Real> mantissa(-2, 2);
  std::uniform_int_distribution<int> exponent(low, high);
  std::vector<Real> values(n);
  for (auto& v : values) v = std::ldexp(mantissa(engine), exponent(engine));
  return values;
}

/// The sum before each element, and behind the last one: one element after the other.
template <class Real>
std::vector<Real> running_sums(std::vector<Real> const& values) {
  reproducible_plus<Real> const sum;
  auto state = sum.identity();
  std::vector<Real> sums{sum.lower(state)};
  for (Real const v : values) {
    state = sum(state, sum.lift(v));
    sums.push_back(sum.lower(state));
  }
  return sums;
}

/// The same bits for every order, engine of production and number of threads, and within the stated error.
template <class Real>
void check_reproducible(int low, int high) {
  oracle::space const space;
  std::size_t const n = 70001;
  auto values = random_reals<Real>(n, low, high, 7);
  reproducible_plus<Real> const sum;
  auto const in = oracle::to_device(values);
  Kokkos::View<Real*, oracle::memory> const out("out", n);
  auto const sums = running_sums(values);
  auto const exclusive = bits_of<Real>({sums.begin(), sums.end() - 1}),
             inclusive = bits_of<Real>({sums.begin() + 1, sums.end()});
  oracle::for_production_engines([&]<class Engine>() {
    upsweep::basic_scan_options<Engine> const options;
    upsweep::exclusive_scan(space, in, out, sum, options);
    ASSERT_EQ(bits_of(oracle::to_host(out)), exclusive) << oracle::name_of<Engine>();
    upsweep::inclusive_scan(space, in, out, sum, options);
    ASSERT_EQ(bits_of(oracle::to_host(out)), inclusive) << oracle::name_of<Engine>();
  });
  for (auto const& instance :
       oracle::instances<oracle::space>(3)) {  // of other numbers of threads, where a backend has threads
    upsweep::inclusive_scan(instance, in, out, sum);
    ASSERT_EQ(bits_of(oracle::to_host(out)), inclusive);
  }

  Real const total = sums.back();
  double largest = 0;
  for (auto v : values) largest = std::max(largest, std::abs(double(v)));
  double const exact = oracle::exact_sum(values);
  double const bound = std::ldexp(double(n) * largest, sizeof(Real) == 8 ? -72 : -48);
  EXPECT_LE(std::abs(double(total) - exact), bound + std::abs(exact) * std::numeric_limits<Real>::epsilon() / 2);
  std::mt19937_64 engine(3);
  for (int round = 0; round < 3; ++round) {
    std::shuffle(values.begin(), values.end(), engine);
    EXPECT_EQ(upsweep::reduce(space, oracle::to_device(values), sum), total);
  }
}

TEST(reproducible_plus, double_has_the_same_bits_everywhere) {
  check_reproducible<double>(-10, 10);
  check_reproducible<double>(-500, 500);
}
TEST(reproducible_plus, float_has_the_same_bits_everywhere) { check_reproducible<float>(-60, 60); }

TEST(reproducible_plus, every_engine_gives_the_same_bits) {
  oracle::space const space;
  auto const values = random_reals<float>(70001, -60, 60, 8);
  auto const sums = running_sums(values);
  auto const in = oracle::to_device(values);
  Kokkos::View<float*, oracle::memory> const out("out", values.size());
  oracle::for_all_engines([&]<class Engine>() {
    upsweep::inclusive_scan(space, in, out, reproducible_plus<float>{}, upsweep::basic_scan_options<Engine>{});
    ASSERT_EQ(bits_of(oracle::to_host(out)), bits_of<float>({sums.begin() + 1, sums.end()}))
        << oracle::name_of<Engine>();
  });
}

/// Two numbers whose bits fit in one window: the sum is exact before its rounding, as the processor's is.
template <class Real>
void check_pairs(int low, int high, int apart, unsigned seed) {
  reproducible_plus<Real> const sum;
  auto const a = random_reals<Real>(100000, low, high, seed);
  auto const b = random_reals<Real>(a.size(), 0, 0, seed + 1);
  std::mt19937_64 engine(seed);
  std::uniform_int_distribution<int> shift(-apart, apart);
  for (std::size_t i = 0; i < a.size(); ++i) {
    Real const other = std::ldexp(b[i], std::ilogb(a[i]) + shift(engine));
    ASSERT_EQ(sum.lower(sum.lift(a[i])), a[i]);
    ASSERT_EQ(sum.lower(sum(sum.lift(a[i]), sum.lift(other))), a[i] + other) << std::hexfloat << a[i] << " + " << other;
  }
}

TEST(reproducible_plus, rounds_to_nearest_even) {
  check_pairs<double>(-40, 40, 18, 1);
  check_pairs<double>(-1074, -1015, 18, 2);  // subnormal numbers and sums
  check_pairs<double>(1022, 1022, 1, 3);     // sums that overflow
  check_pairs<float>(-40, 40, 20, 4);
  check_pairs<float>(-149, -120, 20, 5);
  check_pairs<float>(126, 126, 1, 6);
}

template <class Real>
Real sum_of(std::vector<Real> const& values) {
  reproducible_plus<Real> const sum;
  auto state = sum.identity();
  for (auto v : values) state = sum(state, sum.lift(v));
  return sum.lower(state);
}

TEST(reproducible_plus, extremes) {
  using limits = std::numeric_limits<double>;
  double const inf = limits::infinity(), nan = limits::quiet_NaN(), big = limits::max(), tiny = limits::denorm_min();
  EXPECT_EQ(sum_of<double>({1e300, 1, -1e300}), 0);                // 1 lies below the window
  EXPECT_EQ(sum_of<double>({1e10, 0x1.8p-40, -1e10}), 0x1.8p-40);  // far beyond the 53 bits of a double
  EXPECT_EQ(sum_of<double>({big, big, -big}), big);                // no overflow on the way
  EXPECT_EQ(sum_of<double>({big, big}), inf);
  EXPECT_EQ(sum_of<double>({-big, -big}), -inf);
  EXPECT_EQ(sum_of<double>({tiny, tiny, tiny}), 3 * tiny);
  EXPECT_EQ(sum_of<double>({-limits::min(), tiny}), -limits::min() + tiny);
  EXPECT_EQ(sum_of<double>({inf, 1, -big}), inf);
  EXPECT_EQ(sum_of<double>({1, -inf}), -inf);
  EXPECT_TRUE(std::isnan(sum_of<double>({inf, 1, -inf})));
  EXPECT_TRUE(std::isnan(sum_of<double>({1, nan, inf})));
  EXPECT_FALSE(std::signbit(sum_of<double>({-0.0, -0.0})));
  EXPECT_FALSE(std::signbit(sum_of<double>({-1.5, 1.5})));
  EXPECT_EQ(sum_of<double>({}), 0);
  EXPECT_EQ(sum_of<float>({std::numeric_limits<float>::max(), 1e30f, -std::numeric_limits<float>::max()}), 1e30f);
}

template <class Monoid, class Real>
void check_laws(std::vector<Real> values) {
  Monoid const sum;
  values.insert(values.end(),
                {Real(0), Real(-0.0), std::numeric_limits<Real>::infinity(), -std::numeric_limits<Real>::infinity(),
                 std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::denorm_min()});
  std::mt19937_64 engine(11);
  std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1), length(1, 5);
  auto const draw = [&] {
    auto state = sum.identity();
    for (auto k = length(engine); k > 0; --k) state = sum(state, sum.lift(values[pick(engine)]));
    return state;
  };
  for (int i = 0; i < 50000; ++i) {
    auto const a = draw(), b = draw(), c = draw();
    ASSERT_TRUE(sum(sum(a, b), c) == sum(a, sum(b, c)));
    ASSERT_TRUE(sum(a, b) == sum(b, a));
    ASSERT_TRUE(sum(sum.identity(), a) == a && sum(a, sum.identity()) == a);
  }
}

TEST(reproducible_plus, states_are_exactly_associative) {
  check_laws<reproducible_plus<double>>(random_reals<double>(3000, -1000, 1000, 1));
  check_laws<reproducible_plus<double>>(random_reals<double>(3000, -60, 60, 2));
  check_laws<reproducible_plus<float>>(random_reals<float>(3000, -120, 120, 3));
}

// -0.0 + 0.0 is 0.0: nothing may be added to what nothing comes before. Sizes for each way that a device has.
TEST(plus, an_initial_value_of_minus_zero_is_the_first_result) {
  oracle::space const space;
  for (std::size_t n : {1, 3, 100000, 700000, 1100000, 5000000}) {
    Kokkos::View<double*, oracle::memory> const values("values", n);
    oracle::fill(values, 1.0);
    auto const is_kept = [&] {
      oracle::host_copy const first(Kokkos::subview(values, std::make_pair(0, 1)));
      return first(0) == 0 && std::signbit(first(0));
    };
    upsweep::exclusive_scan(space, values, values, -0.0, upsweep::plus<>{});
    EXPECT_TRUE(is_kept()) << n;
    oracle::fill(values, 1.0);
    upsweep::exclusive_scan(space, values, values, -0.0, upsweep::plus<>{},
                            upsweep::basic_scan_options<upsweep::engine::two_level>{});
    EXPECT_TRUE(is_kept()) << "two_level, " << n;
  }
}

/// A block's total and the last prefix inside it are rounded differently: behind 2^24, where floats are 2 apart, every
/// single 3 is rounded up to 4, while a whole block of them adds its exact sum.
TEST(plus, prefixes_of_non_negative_numbers_may_decrease) {
  oracle::space const space;
  std::vector<float> values(3 * 4096, 3.0f);
  std::fill(values.begin(), values.begin() + 4096, 0.0f);
  values.front() = 16777216.0f;
  auto const in = oracle::to_device(values);
  Kokkos::View<float*, oracle::memory> const out("out", values.size());
  auto const decreases = [&]<class Engine>(auto const& monoid, Engine) {
    upsweep::inclusive_scan(space, in, out, monoid, upsweep::basic_scan_options<Engine>{});
    auto const prefixes = oracle::to_host(out);
    return !std::is_sorted(prefixes.begin(), prefixes.end());
  };
  EXPECT_FALSE(decreases(upsweep::plus<>{}, upsweep::study::sequential{}));
  EXPECT_TRUE(decreases(upsweep::plus<>{}, upsweep::engine::two_level{}));
  EXPECT_TRUE(decreases(upsweep::plus<>{}, upsweep::study::reduce_then_scan{}));
  oracle::for_all_engines([&]<class Engine>() {
    EXPECT_FALSE(decreases(reproducible_plus<float>{}, Engine{})) << oracle::name_of<Engine>();
  });
}

TEST(reproducible_plus, prefixes_of_non_negative_numbers_never_decrease) {
  reproducible_plus<float> const sum;
  for (unsigned seed = 0; seed < 20; ++seed) {
    auto state = sum.identity();
    float last = 0;
    // The window rises again and again, and drops digits each time.
    auto values = random_reals<float>(5000, -100, 100, seed);
    if (seed % 2 == 0)
      std::sort(values.begin(), values.end(), [](float a, float b) { return std::abs(a) < std::abs(b); });
    for (auto v : values) {
      state = sum(state, sum.lift(std::abs(v)));
      float const now = sum.lower(state);
      ASSERT_GE(now, last);
      last = now;
    }
  }
}

TEST(compensated_plus, beats_plus_on_an_ill_conditioned_sum) {
  oracle::space const space;
  auto values = random_reals<double>(50001, -20, 20, 5);
  for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i] * (1 + 1e-13 * double(i % 7)));
  std::shuffle(values.begin(), values.end(), std::mt19937_64(9));
  double const exact = oracle::exact_sum(values);
  auto const in = oracle::to_device(values);
  double const plain = std::abs(upsweep::reduce(space, in, upsweep::plus<>{}) - exact);
  double const compensated = std::abs(upsweep::reduce(space, in, upsweep::compensated_plus<double>{}) - exact);
  EXPECT_GT(plain, 0);
  EXPECT_LE(compensated * 1000, plain) << exact;
  Kokkos::View<double*, oracle::memory> const out("out", values.size());
  upsweep::inclusive_scan(space, in, out, upsweep::compensated_plus<double>{});
  EXPECT_LE(std::abs(oracle::to_host(out).back() - exact) * 1000, plain);
}

TEST(compensated_plus, infinities_stay) {
  upsweep::compensated_plus<double> const sum;
  auto const fold = [&](std::vector<double> const& values) {
    auto state = sum.identity();
    for (auto v : values) state = sum(state, sum.lift(v));
    return sum.lower(state);
  };
  double const inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(fold({1, 1e100, 1, -1e100}), 2);
  EXPECT_EQ(fold({1, inf, 2}), inf);
  EXPECT_EQ(fold({1, -inf, 2}), -inf);
  EXPECT_TRUE(std::isnan(fold({inf, -inf})));
}

}  // namespace
