// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../../neighbors/boxes.hpp"
#include "boxes.hpp"
#include "serial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace oracle {

/// Centres may be seen in another image where rounding decides.
inline void expect_centre(double const* found, serial_group const& expected, cluster_problem const& p) {
  if (expected.spans) {
    ASSERT_TRUE(std::isnan(found[0]) && std::isnan(found[1]) && std::isnan(found[2]));
    return;
  }
  auto const box = to_box(p.box);
  auto const w = box.wrap({expected.centre[0], expected.centre[1], expected.centre[2]});
  double nearest = 1e300;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        bool allowed = true;
        int const image[3] = {x, y, z};
        for (int d = 0; d < 3; ++d) allowed = allowed && (image[d] == 0 || p.box.periodic[d]);
        if (!allowed) continue;
        double square = 0;
        for (int d = 0; d < 3; ++d) {
          double way = w[d] - found[d];
          for (int k = 0; k < 3; ++k) way += image[k] * box.edge(k)[d];
          square += way * way;
        }
        nearest = std::min(nearest, std::sqrt(square));
      }
  ASSERT_LE(nearest, 1e-10);
}

}  // namespace oracle
