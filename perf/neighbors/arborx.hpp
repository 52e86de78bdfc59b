// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// ArborX: a bounding volume hierarchy of the particles and a query of all within a cutoff; and, where all particles
// have rows, its full neighbour list. In a periodic box it gets ghosts, which are not timed.

#include "ghosts.hpp"

#include <ArborX.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace perf::neighbors {

/// Positions in their own precision: ArborX makes float of a View of coordinates.
template <class Real>
struct arborx_points {
  positions<Real> x;
};
/// The spheres around the first n.
template <class Real>
struct arborx_spheres {
  positions<Real> x;
  std::size_t n;
};

struct not_itself {
  template <class Predicate, class Value, class Out>
  KOKKOS_FUNCTION void operator()(Predicate const& predicate, Value const& value, Out const& out) const {
    int const j = static_cast<int>(value.index);
    if (j != ArborX::getData(predicate)) out(j);
  }
};

struct arborx_list {
  Kokkos::View<int*, memory> offsets{"upsweep::perf::offsets", 0}, indices{"upsweep::perf::indices", 0};
};

template <class Real>
prepared prepare_arborx(space const& instance, particles<Real> const& p, bool query) {
  auto const kept = std::make_shared<arborx_list>();
  auto const all = add_ghosts(instance, p);
  auto const build = [=] {
    arborx_points<Real> const points{all.x};
    if (query) {
      ArborX::BoundingVolumeHierarchy const tree(instance, ArborX::Experimental::attach_indices(points));
      tree.query(instance, ArborX::Experimental::attach_indices<int>(arborx_spheres<Real>{all.x, all.n}), not_itself{},
                 kept->indices, kept->offsets);
    } else {
      ArborX::Experimental::findFullNeighborList(instance, points, static_cast<Real>(cutoff), kept->offsets,
                                                 kept->indices);
    }
  };
  return {build, [=] { return kept->indices.extent(0); },
          [=] { return sizeof(int) * (kept->offsets.extent(0) + kept->indices.extent(0)); },
          [=] { return to_owners(instance, all.n, kept->offsets, {}, kept->indices, all.owners); }};
}

template <class Real>
std::vector<implementation<Real>> lists<Real>::by_arborx() {
  return {{"arborx", false,
           [](space const& instance, particles<Real> const& p) { return prepare_arborx(instance, p, true); }},
          {"arborx_full", false,
           [](space const& instance, particles<Real> const& p) { return prepare_arborx(instance, p, false); }, true}};
}

}  // namespace perf::neighbors

template <class Real>
struct ArborX::AccessTraits<perf::neighbors::arborx_points<Real>> {
  using memory_space = perf::memory;
  static KOKKOS_FUNCTION std::size_t size(perf::neighbors::arborx_points<Real> const& p) { return p.x.extent(0); }
  static KOKKOS_FUNCTION auto get(perf::neighbors::arborx_points<Real> const& p, std::size_t i) {
    return ArborX::Point<3, Real>{p.x(i, 0), p.x(i, 1), p.x(i, 2)};
  }
};
template <class Real>
struct ArborX::AccessTraits<perf::neighbors::arborx_spheres<Real>> {
  using memory_space = perf::memory;
  static KOKKOS_FUNCTION std::size_t size(perf::neighbors::arborx_spheres<Real> const& p) { return p.n; }
  static KOKKOS_FUNCTION auto get(perf::neighbors::arborx_spheres<Real> const& p, std::size_t i) {
    return ArborX::intersects(ArborX::Sphere{ArborX::Point<3, Real>{p.x(i, 0), p.x(i, 1), p.x(i, 2)},
                                             static_cast<Real>(perf::neighbors::cutoff)});
  }
};
