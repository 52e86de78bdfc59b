// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "testing.hpp"

#include <upsweep/mpi/domain.hpp>

#include <cstddef>

namespace testing_mpi {

/// Of all bricks of a domain only that of the owner of a position x holds it. `at`: where x is among bricks.
template <class Vector>
void expect_only_owner_holds(upsweep::mpi::domain<double> const& parts, Vector const& x, Vector const& at) {
  auto const bricks = parts.bricks();
  int holders = 0;
  for (int r = 0; r < world().size(); ++r) {
    auto const& b = bricks[static_cast<std::size_t>(r)];
    bool in = true;
    for (int d = 0; d < 3; ++d) in = in && at[d] >= b.lo[d] && at[d] < b.hi[d];
    if (!in) continue;
    ++holders;
    EXPECT_EQ(parts.owner(x[0], x[1], x[2]), r);
  }
  EXPECT_EQ(holders, 1);
}

}  // namespace testing_mpi
