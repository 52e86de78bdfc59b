// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../phase_times.hpp"
#include "point_set.hpp"
#include "types.hpp"

#include <cstdint>

namespace clusters {

struct dbscan_labels {
  numbers label;  ///< the smallest number of a core of the cluster; -1: noise
  flags core;
};

/// DBSCAN on one rank: a point with min_points points within `length`, itself counted, is a core; cores within the
/// length of each other are in one cluster; another point within the length of cores is in the cluster with the
/// smallest label of these.
/// Cost: for_each_pair three times.
/// Throws: precondition_error where a periodic direction is not more than twice the length high: images of one point
/// would count as several.
dbscan_labels label_dbscan(space_type const& space, point_set const& points, double length, std::int64_t min_points,
                           apps::phase_times& times);

}  // namespace clusters
