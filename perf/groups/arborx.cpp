// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// ArborX' DBSCAN, whose cores of two points are friends of friends: as it chooses by default, which gives cells with
// many points a box of their own (dense boxes), and with a hierarchy of all points.

#include "../../apps/support/groups/types.hpp"
#include "implementation.hpp"

#include <upsweep/base/fetch.hpp>

#include <ArborX_DBSCAN.hpp>

#include <cstddef>
#include <memory>

namespace perf::groups {

/// Points of doubles: ArborX makes float of a View of coordinates.
struct arborx_points {
  clusters::vectors x;
};

}  // namespace perf::groups

template <>
struct ArborX::AccessTraits<perf::groups::arborx_points> {
  using memory_space = perf::memory;
  static KOKKOS_FUNCTION std::size_t size(perf::groups::arborx_points const& p) { return p.x.extent(0); }
  static KOKKOS_FUNCTION auto get(perf::groups::arborx_points const& p, std::size_t i) {
    return ArborX::Point<3, double>{p.x(i, 0), p.x(i, 1), p.x(i, 2)};
  }
};

namespace perf::groups {
namespace {

using arborx_implementation = ArborX::DBSCAN::Implementation;

prepared prepare_arborx(space const& instance, clusters::point_set const& points, workload const& w,
                        arborx_implementation how) {
  auto const found = std::make_shared<Kokkos::View<int*, memory>>("upsweep::perf::labels", 0);
  auto const search = [=] {
    ArborX::DBSCAN::Parameters parameters;
    parameters.setImplementation(how);
    int const least = w.min_points == 0 ? 2 : static_cast<int>(w.min_points);
    ArborX::dbscan(instance, arborx_points{points.positions}, link_length, least, *found, parameters);
  };
  auto const labels = [=] {
    auto const host = upsweep::to_host(instance, *found);
    return std::vector<std::int64_t>(host.begin(), host.end());
  };
  return {search, labels};
}

}  // namespace

std::vector<implementation> by_arborx() {
  auto const with = [](char const* name, arborx_implementation how) {
    return implementation{name, false,
                          [how](space const& instance, clusters::point_set const& points, workload const& w) {
                            return prepare_arborx(instance, points, w, how);
                          }};
  };
  return {with("arborx", arborx_implementation::FDBSCAN_DenseBox),
          with("arborx_fdbscan", arborx_implementation::FDBSCAN)};
}

}  // namespace perf::groups
