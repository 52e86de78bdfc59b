// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "local_friends.hpp"

#include "disjoint_sets.hpp"
#include "links.hpp"

#include <upsweep/neighbors/for_each_pair.hpp>

#include <cstddef>

namespace clusters {

numbers label_local_friends(space_type const& space, point_set const& points, double length, apps::phase_times& times) {
  std::size_t const n = points.size();
  auto const sets = times.time(space, "link", [&] {
    auto const made = disjoint_sets::make(space, n);
    upsweep::for_each_pair(space, points.positions, points.box, length, link_pair{made, static_cast<int>(n)});
    return made;
  });
  return times.time(space, "label", [&] {
    // The root of a set is its smallest index, and numbers ascend with indices.
    auto const label = make<numbers>(space, "labels", n);
    Kokkos::parallel_for("upsweep-clusters::label", points_range(space, n), label_by_root{sets, points.number, label});
    return label;
  });
}

}  // namespace clusters
