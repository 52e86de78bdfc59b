// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/internal/arguments/text_of.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>

using upsweep::internal::text_of;
using upsweep::internal::text_of_measured;
using upsweep::internal::text_of_particle;

// std::to_string says 0.000000 of the first, and has 31 digits for the last.
TEST(text_of, numbers_of_all_sizes) {
  EXPECT_EQ(text_of(1e-9), "1e-09");
  EXPECT_EQ(text_of(0.001), "0.001");
  EXPECT_EQ(text_of(1.5), "1.5");
  EXPECT_EQ(text_of(-100000.0), "-100000");
  EXPECT_EQ(text_of(1e30), "1e+30");
  EXPECT_EQ(text_of(0.0), "0");
  EXPECT_EQ(text_of(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(text_of(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(text_of(std::numeric_limits<double>::lowest()), "-1.7976931348623157e+308");
  EXPECT_EQ(text_of(std::numeric_limits<double>::denorm_min()), "5e-324");
}

TEST(text_of, no_more_digits_than_the_type_has) {
  EXPECT_EQ(text_of(0.1f), "0.1");
  EXPECT_EQ(text_of(static_cast<double>(0.1f)), "0.10000000149011612");
  double const sum = 0.1 + 0.2;
  EXPECT_EQ(text_of(sum), "0.30000000000000004");
  EXPECT_EQ(text_of_measured(sum), "0.3");
  EXPECT_EQ(text_of_measured(1.25e-14f), "1.25e-14");
  for (double const x : {1.0 / 3, 1e-300 / 7, 12345678.9, 2e300 / 3})
    EXPECT_EQ(std::strtod(text_of(x).c_str(), nullptr), x);
}

TEST(text_of, integers) {
  EXPECT_EQ(text_of(std::int8_t(-128)), "-128");
  EXPECT_EQ(text_of(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

TEST(text_of, particles) {
  EXPECT_EQ(text_of_particle(17, std::array<float, 3>{0.1f, -2, 1e20f}), "particle 17 at (0.1, -2, 1e+20)");
}
