// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The code of upsweep-clusters on one rank.

#include "../../apps/support/groups/dbscan.hpp"
#include "../../apps/support/groups/local_friends.hpp"
#include "implementation.hpp"

#include <upsweep/base/fetch.hpp>

#include <memory>

namespace perf::groups {
namespace {

prepared prepare_upsweep(space const& instance, clusters::point_set const& points, workload const& w) {
  auto const found = std::make_shared<clusters::numbers>();
  auto const search = [=] {
    apps::phase_times times;
    if (w.min_points == 0) *found = clusters::label_local_friends(instance, points, link_length, times);
    else *found = clusters::label_dbscan(instance, points, link_length, w.min_points, times).label;
  };
  return {search, [=] { return upsweep::to_host(instance, *found); }};
}

}  // namespace

std::vector<implementation> by_upsweep() { return {{"upsweep", true, prepare_upsweep}}; }

}  // namespace perf::groups
