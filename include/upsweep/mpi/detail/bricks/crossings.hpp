// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/bricks/positions.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace upsweep::mpi::detail {

/// Instead of a View of crossings where nobody counts them.
struct no_crossings {};

/// A count of crossings that an int does not hold: in which direction, and what it would be.
struct crossings_overflow {
  int direction = -1;  ///< -1: there is none
  std::int64_t count = 0;
  KOKKOS_FUNCTION explicit operator bool() const { return direction >= 0; }
};

/// Adds the edges that wrapping would take off x to a particle's count of them. Pre: x has no fault in the box.
template <class Real>
KOKKOS_FUNCTION crossings_overflow overflow_of(upsweep::box<Real> const& box, Kokkos::Array<Real, 3> const& x,
                                               Kokkos::Array<int, 3> const& before) {
  using limits = std::numeric_limits<int>;
  // box::farthest is 2^30 edges at most, and a little more where rounding or the other edges of a box of any edges add
  // to it: counts of up to 2^29 need no look at the position.
  constexpr int surely_good = 1 << 29;
  bool good = true;
  for (int d = 0; d < 3; ++d) good = good && before[d] > -surely_good && before[d] < surely_good;
  if (good) return {};
  auto const edges = box.edges_off(x);
  for (int d = 0; d < 3; ++d) {
    std::int64_t const after = std::int64_t(before[d]) + edges[d];
    if (after < limits::min() || after > limits::max()) return {d, after};
  }
  return {};
}

/// A particle that cannot migrate: its position has no place, or its crossings cannot be counted.
template <class Positions, class Crossings, class Real>
struct cannot_migrate {
  Positions positions;
  Crossings crossings;
  upsweep::box<Real> box;

  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    if (has_no_place<Positions, Real>{positions, box}(i)) return true;
    if constexpr (std::is_same_v<Crossings, no_crossings>) return false;
    else
      return static_cast<bool>(overflow_of(box, {positions(i, 0), positions(i, 1), positions(i, 2)},
                                           {crossings(i, 0), crossings(i, 1), crossings(i, 2)}));
  }
};

/// In words, as the end of a sentence about a particle.
template <class Real>
std::string describe(upsweep::box<Real> const& box, crossings_overflow const& overflow) {
  return "would have " + std::to_string(overflow.count) + " crossings in direction " +
         box.direction_name(overflow.direction) + "; they are counted in 32 bits";
}

}  // namespace upsweep::mpi::detail
