// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <upsweep/neighbors/box.hpp>

#include <cstddef>
#include <cstdint>

namespace clusters {

/// This rank's share of the points.
struct point_set {
  upsweep::box<double> box;
  vectors positions;   ///< anywhere along periodic directions
  numbers number;      ///< 0-based, in the order of the input
  numbers id;          ///< the input's own, ascending with the number
  std::int64_t total;  ///< of all ranks

  std::size_t size() const { return number.extent(0); }
};

}  // namespace clusters
