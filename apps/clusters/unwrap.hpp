// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/groups/types.hpp"

#include <upsweep/neighbors/box.hpp>

namespace clusters {

/// Points of whole groups; wrapped.
struct grouped_points {
  upsweep::box<double> box;
  vectors positions;
  numbers label;
  flags core;  ///< a link has one at least; empty: all points are cores
};

/// Box lengths that lead from wrapped positions to those along links.
struct unwrapped_groups {
  Kokkos::View<int* [3], Kokkos::LayoutRight, memory_space> lengths;  ///< of each point, from its group's first one
  indices spans;  ///< at each group's first point: not 0 where links lead around the box to another image of a member
};

/// Follows the links within groups, of points at most `length` apart. Where a group spans the box its lengths depend on
/// which links came first.
///
/// Cost: two times for_each_pair, with 32 bytes a point beside what it takes; between them 68 bytes a point, and for
/// groups of k members up to 2 log2(k) rounds of up to log2(k) passes.
unwrapped_groups unwrap(space_type const& space, grouped_points const& points, double length);

}  // namespace clusters
