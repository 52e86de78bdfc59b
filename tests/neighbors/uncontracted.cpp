// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Numbers by which grids are laid out alike on CPUs and GPUs.

#include <upsweep/neighbors/detail/box/uncontracted.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace {

using upsweep::neighbors::detail::uncontracted;

/// Not known to the compiler, which would compute with it exactly.
double const volatile slightly_more = 1 + 0x1p-30;

TEST(uncontracted, products_are_rounded_before_they_are_added) {
  uncontracted const a = slightly_more, square = a * a;
  // Rounded, the square is 1 + 2^-29; its last term, 2^-60, is what a contracted difference would leave.
  EXPECT_EQ((a * a - square).value(), 0);
  EXPECT_EQ((a * a - (1 + 0x1p-29)).value(), 0);
  uncontracted sum = -(1 + 0x1p-29);
  sum += a * a;
  EXPECT_EQ(sum.value(), 0);
}

TEST(uncontracted, lengths_do_not_overflow) {
  EXPECT_EQ(length_of(uncontracted(3), uncontracted(-4), uncontracted(0)).value(), 5);
  EXPECT_EQ(length_of(uncontracted(0), uncontracted(0), uncontracted(0)).value(), 0);
  EXPECT_NEAR(length_of(uncontracted(3e200), uncontracted(1), uncontracted(-4e200)).value() / 5e200, 1, 1e-15);
  EXPECT_NEAR(length_of(uncontracted(3e-200), uncontracted(4e-200), uncontracted(0)).value() / 5e-200, 1, 1e-15);
}

TEST(uncontracted, larger_and_whole_parts) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(larger(uncontracted(-1), uncontracted(2)).value(), 2);
  EXPECT_EQ(larger(uncontracted(inf), uncontracted(2)).value(), inf);
  EXPECT_EQ(floor(uncontracted(2.75)).value(), 2);
  EXPECT_EQ(ceil(uncontracted(2.25)).value(), 3);
  EXPECT_EQ(abs(uncontracted(-0.5)).value(), 0.5);
}

}  // namespace
