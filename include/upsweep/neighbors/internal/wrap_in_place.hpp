// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::internal {

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
  // box::farthest is 2^30 edges at most, and a little more where rounding or the other edges of a box of any edges add
  // to it: counts of up to 2^29 need no look at the position.
  constexpr int surely_good = 1 << 29;
  bool good = true;
  for (int d = 0; d < 3; ++d) good = good && before[d] > -surely_good && before[d] < surely_good;
  if (good) return {};
  auto const edges = box.edges_off(x);
  for (int d = 0; d < 3; ++d) {
    std::int64_t const after = std::int64_t(before[d]) + edges[d];
    if (after < smallest_value<int> || after > largest_value<int>) return {d, after};
  }
  return {};
}

/// In words, as the end of a sentence about a particle.
template <class Real>
std::string describe(upsweep::box<Real> const& box, crossings_overflow const& overflow) {
  return "would have " + std::to_string(overflow.count) + " crossings in direction " +
         box.direction_name(overflow.direction) + "; they are counted in 32 bits";
}

/// Wraps one particle of an orthogonal box and counts the box lengths that this takes away. Nothing is written where it
/// is in the box, so a second time changes nothing.
template <class Positions, class Crossings, class Real>
struct wrap_and_count {
  Positions positions;
  Crossings crossings;
  upsweep::box<Real> box;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const i = static_cast<std::size_t>(k);
    for (int d = 0; d < 3; ++d) {
      Real const before = positions(i, d);
      Real const after = box.wrap(before, d);
      if (after == before) continue;
      positions(i, d) = after;
      if constexpr (!std::is_same_v<Crossings, no_crossings>)
        crossings(i, d) += static_cast<int>(Kokkos::round((before - after) / box.length(d)));
    }
  }
};

/// The same in a triclinic box, whose whole edges are counted.
template <class Positions, class Crossings, class Real>
struct wrap_along_edges {
  Positions positions;
  Crossings crossings;
  upsweep::box<Real> box;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const i = static_cast<std::size_t>(k);
    Kokkos::Array<Real, 3> const before{positions(i, 0), positions(i, 1), positions(i, 2)};
    auto const after = box.wrap(before);
    if (after[0] == before[0] && after[1] == before[1] && after[2] == before[2]) return;
    for (int d = 0; d < 3; ++d) positions(i, d) = after[d];
    if constexpr (!std::is_same_v<Crossings, no_crossings>) {
      auto const edges = box.edges_off(before);
      for (int d = 0; d < 3; ++d) crossings(i, d) += edges[d];
    }
  }
};

}  // namespace upsweep::internal
