// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// Positions of queries, and behind them those of points.
template <class Queries, class Points>
struct two_sets {
  Queries queries;
  Points points;
  std::int64_t first_point;
  KOKKOS_FUNCTION auto operator()(std::int64_t i) const {
    return i < first_point ? queries(i) : points(i - first_point);
  }
};

}  // namespace upsweep::neighbors::detail
