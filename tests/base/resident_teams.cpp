// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/kokkos_compat.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace {

namespace compat = upsweep::compat;

// More of them than scratch has room for is an error of Kokkos at the launch: rows with images once asked for 8 teams
// of 29,712 bytes, which no GPU has room for.
TEST(resident_teams, fit_into_the_scratch_of_a_multiprocessor) {
  for (std::size_t bytes = 64; bytes < compat::multiprocessor_scratch / 2; bytes += 1000)
    for (int const wanted : {1, 4, 8, 16}) {
      int const teams = compat::resident_teams(wanted, 128, bytes);
      EXPECT_LE(teams, wanted);
      EXPECT_LE(static_cast<std::size_t>(teams) * bytes, compat::multiprocessor_scratch) << bytes;
      // One more would be too many.
      bool const is_room_for_more = (teams + 1.0) * (bytes + 4096.0) <= compat::multiprocessor_scratch;
      EXPECT_FALSE(teams < wanted && is_room_for_more) << bytes;
    }
  EXPECT_LT(compat::resident_teams(8, 128, 29712), 8);
}

TEST(resident_teams, are_at_least_one) {
  EXPECT_EQ(compat::resident_teams(8, 128, compat::multiprocessor_scratch), 1);
  EXPECT_EQ(compat::resident_teams(3, 1024, 0), 3);
}

}  // namespace
