// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "dbscan.hpp"
#include "types.hpp"

#include <upsweep/neighbors/box.hpp>

namespace clusters {

/// Points of whole groups; wrapped.
struct grouped_points {
  upsweep::box<double> box;
  vectors positions;
  numbers label;
  flags core;  ///< of which each link has one; empty: all are
};

/// Box lengths that lead from wrapped positions to those along links.
struct unwrapped_groups {
  Kokkos::View<int* [3], Kokkos::LayoutRight, memory_space> lengths;  ///< of each point, from its group's first one
  indices spans;  ///< not 0, of each group's first point: some links lead around the box to another image of a member
};

/// Follows the links within groups, of points at most `length` apart. Where a group spans the box its lengths depend on
/// which links came first.
///
/// Cost: two times for_each_pair; 60 bytes a point. Groups of k members take log k rounds of a few passes.
unwrapped_groups unwrap(space_type const& space, grouped_points const& points, double length);

}  // namespace clusters
