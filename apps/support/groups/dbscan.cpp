// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "dbscan.hpp"

#include "box_height.hpp"
#include "disjoint_sets.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/for_each_pair.hpp>

#include <string>

namespace clusters {
namespace {

void require_one_image(upsweep::box<double> const& box, double length) {
  for (int d = 0; d < 3; ++d)
    if (box.periodic(d) && !(box_height(box, d) > 2.000001 * length))
      throw upsweep::precondition_error("dbscan: the box is " + std::to_string(box_height(box, d)) +
                                        " high in direction " + std::string(1, box.direction_name(d)) +
                                        "; it must be higher than twice the length, " + std::to_string(length) +
                                        ", so that no point counts twice");
}

/// All pairs of a row come by one thread: no atomics.
struct count_neighbors {
  indices count;
  KOKKOS_FUNCTION void operator()(int i, int) const { ++count(i); }
};
struct find_cores {
  indices count;
  std::int64_t others;  ///< that a core has
  flags core;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { core(i) = count(i) >= others ? 1 : 0; }
};
struct link_cores {
  disjoint_sets sets;
  flags core;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    if (j < i && core(i) != 0 && core(j) != 0) sets.unite(i, j);
  }
};
struct label_cores {
  disjoint_sets sets;
  flags core;
  numbers number, label;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    label(i) = core(i) != 0 ? number(sets.find(static_cast<int>(i))) : -1;
  }
};
/// Labels of cores are read, those of other points are written.
struct label_border {
  flags core;
  numbers label;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    if (core(i) != 0 || core(j) == 0) return;
    if (label(i) < 0 || label(j) < label(i)) label(i) = label(j);
  }
};

}  // namespace

dbscan_labels label_dbscan(space_type const& space, point_set const& points, double length, std::int64_t min_points,
                           apps::phase_times& times) {
  require_one_image(points.box, length);
  std::size_t const n = points.size();
  auto const visit = [&](auto const& functor) {
    upsweep::for_each_pair(space, points.positions, points.box, length, functor);
  };
  auto const core = times.time(space, "cores", [&] {
    indices const count("upsweep-clusters::count", n);
    visit(count_neighbors{count});
    auto const found = make<flags>(space, "cores", n);
    Kokkos::parallel_for("upsweep-clusters::find_cores", points_range(space, n),
                         find_cores{count, min_points - 1, found});
    return found;
  });
  auto const sets = times.time(space, "link", [&] {
    auto const made = disjoint_sets::make(space, n);
    visit(link_cores{made, core});
    return made;
  });
  return times.time(space, "label", [&] {
    auto const label = make<numbers>(space, "labels", n);
    Kokkos::parallel_for("upsweep-clusters::label_cores", points_range(space, n),
                         label_cores{sets, core, points.number, label});
    visit(label_border{core, label});
    return dbscan_labels{label, core};
  });
}

}  // namespace clusters
