// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <cstddef>

// The option Upsweep_ENABLE_BOUNDS_CHECK sets a macro that an installed Kokkos need not honour.
#if defined(KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
TEST(bounds_check, stops_an_access_behind_the_end) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  Kokkos::View<int*, Kokkos::HostSpace> const view("view", 3);
  std::size_t volatile behind = 3;
  EXPECT_DEATH(view(behind) = 1, "bounds");
}
#endif
