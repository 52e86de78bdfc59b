// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/box.hpp>

#include <cmath>

namespace clusters {

/// How far apart the two faces of direction d are.
inline double box_height(upsweep::box<double> const& box, int d) {
  auto const a = box.edge((d + 1) % 3), b = box.edge((d + 2) % 3);
  double const x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  return box.volume() / std::sqrt(x * x + y * y + z * z);
}

}  // namespace clusters
