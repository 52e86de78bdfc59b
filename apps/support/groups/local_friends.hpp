// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../phase_times.hpp"
#include "point_set.hpp"
#include "types.hpp"

namespace clusters {

/// Friends of friends among points that are all on this rank (label_friends).
/// Pre: numbers ascend. Cost: for_each_pair, and two passes over the points.
numbers label_local_friends(space_type const& space, point_set const& points, double length, apps::phase_times& times);

}  // namespace clusters
