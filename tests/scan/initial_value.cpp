// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// An initial value means the same as a state of the scan, or is refused. That floating-point numbers for integer states
// do not compile is tested in tests/compile_fail.

#include "../oracle/views.hpp"

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace {

using upsweep::scan::detail::survives_conversion;

TEST(initial_value, numbers_survive_or_do_not) {
  EXPECT_TRUE(survives_conversion<std::int8_t>(127));
  EXPECT_TRUE(survives_conversion<std::int8_t>(-128LL));
  EXPECT_FALSE(survives_conversion<std::int8_t>(128));
  EXPECT_FALSE(survives_conversion<std::int8_t>(300));
  EXPECT_FALSE(survives_conversion<unsigned>(-1));
  EXPECT_FALSE(survives_conversion<std::uint64_t>(std::int8_t(-1)));
  EXPECT_FALSE(survives_conversion<int>(4294967295u));
  EXPECT_FALSE(survives_conversion<std::int64_t>(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_TRUE(survives_conversion<bool>(1));
  EXPECT_FALSE(survives_conversion<bool>(2));
  EXPECT_TRUE(survives_conversion<int>(true));
  // Integers for floating-point states.
  EXPECT_TRUE(survives_conversion<float>(0));
  EXPECT_TRUE(survives_conversion<double>(1));
  EXPECT_TRUE(survives_conversion<float>(-(1 << 24)));
  EXPECT_FALSE(survives_conversion<float>((1 << 24) + 1));
  EXPECT_TRUE(survives_conversion<float>(std::numeric_limits<std::int64_t>::min()));
  EXPECT_FALSE(survives_conversion<float>(std::numeric_limits<std::int64_t>::max()));
  EXPECT_TRUE(survives_conversion<double>((std::uint64_t(1) << 53) * 5));
  EXPECT_FALSE(survives_conversion<double>((std::int64_t(1) << 53) + 1));
  // Floating-point numbers are rounded, but stay finite.
  EXPECT_TRUE(survives_conversion<float>(0.1));
  EXPECT_FALSE(survives_conversion<float>(1e300));
  EXPECT_TRUE(survives_conversion<float>(std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(survives_conversion<float>(std::nan("")));
}

template <class T>
std::string message_of(auto const& init) {
  oracle::space const space;
  Kokkos::View<T*, oracle::memory> const values("values", 5);
  std::string message;
  auto const of = [&](auto const& call) {
    try {
      call();
      return std::string();
    } catch (upsweep::precondition_error const& e) {
      return std::string(e.what());
    }
  };
  message = of([&] { upsweep::exclusive_scan(space, values, values, init, upsweep::plus<>{}); });
  T total{};
  EXPECT_EQ(of([&] { upsweep::exclusive_scan(space, values, values, upsweep::into{total}, init, upsweep::plus<>{}); }),
            message);
  Kokkos::View<T*, oracle::memory> const none;
  EXPECT_EQ(of([&] { upsweep::exclusive_scan(space, none, none, init, upsweep::plus<>{}); }), message);
  auto const inclusive = of([&] { upsweep::inclusive_scan(space, values, values, init, upsweep::plus<>{}); });
  EXPECT_EQ(inclusive.empty(), message.empty());
  EXPECT_TRUE(message.empty() || inclusive == "in" + message.substr(2));
  return message;
}

TEST(initial_value, what_does_not_fit_is_refused_by_scans) {
  EXPECT_EQ(message_of<std::int8_t>(300),
            "exclusive_scan: the initial value 300 is not one of the monoid's value_type, which holds -128 to 127");
  EXPECT_EQ(message_of<std::int8_t>(100), "");
  EXPECT_EQ(message_of<unsigned>(-1),
            "exclusive_scan: the initial value -1 is not one of the monoid's value_type, which holds 0 to 4294967295");
  EXPECT_EQ(message_of<float>(0), "");
  EXPECT_EQ(message_of<float>(1e300),
            "exclusive_scan: the initial value 1e+300 is not one of the monoid's value_type, which is floating-point");
  EXPECT_EQ(
      message_of<float>((1 << 24) + 1),
      "exclusive_scan: the initial value 16777217 is not one of the monoid's value_type, which is floating-point");
}

}  // namespace
