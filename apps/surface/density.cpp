// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "density.hpp"

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/scan/segmented_reduce.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace surface {
namespace {

using vectors = triples<double>;

/// So many grid points have a list at a time.
constexpr std::int64_t piece = std::int64_t(1) << 19;

struct weigh {
  double const* distances;
  double radius;
  KOKKOS_FUNCTION double operator()(std::size_t pair) const {
    double const r = distances[pair] / radius, w = 1 - r * r;
    return w * w * w;
  }
};

struct place_points {
  surface::grid grid;
  std::int64_t first;
  vectors positions;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    std::int64_t const p = first + n, row = p / grid.points[2];
    auto const x =
        grid.position(double(row / grid.points[1]), double(row % grid.points[1]), double(p % grid.points[2]));
    for (int d = 0; d < 3; ++d) positions(n, d) = x[d];
  }
};

/// Points along a direction; an unreasonable number is refused when all are known.
std::int64_t whole(double points) {
  return points < 0x1p40 ? static_cast<std::int64_t>(points) : std::int64_t(1) << 40;
}

/// Points along direction d from below the lowest particle to above the highest.
void set_open_direction(grid& g, int d, std::vector<double> const& positions, double radius, double spacing) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = static_cast<std::size_t>(d); i < positions.size(); i += 3) {
    least = std::min(least, positions[i]);
    most = std::max(most, positions[i]);
  }
  g.points[d] = whole(std::ceil((most - least + 2 * radius) / spacing) + 3);
  g.origin[d] = least - radius - spacing;
  g.step[d] = {0, 0, 0};
  g.step[d][d] = spacing;
}

grid grid_of(std::vector<double> const& positions, upsweep::box<double> const& box, double radius, double spacing) {
  grid g;
  auto const origin = box.origin();
  for (int d = 0; d < 3; ++d) {
    if (!box.periodic(d)) {
      set_open_direction(g, d, positions, radius, spacing);
      continue;
    }
    auto const edge = box.edge(d);
    double const cells = std::max(1.0, std::round(std::hypot(edge[0], edge[1], edge[2]) / spacing));
    g.points[d] = whole(cells + 1);
    g.origin[d] = origin[d];
    for (int x = 0; x < 3; ++x) g.step[d][x] = edge[x] / cells;
  }
  return g;
}

/// The box with open directions that hold the grid, with room for rounding.
upsweep::box<double> box_around(grid const& g, upsweep::box<double> const& box) {
  upsweep::box<double>::vector lo, hi;
  for (int d = 0; d < 3; ++d) {
    lo[d] = box.periodic(d) ? box.lo(d) : g.origin[d] - g.step[d][d];
    hi[d] = box.periodic(d) ? box.hi(d) : g.origin[d] + static_cast<double>(g.points[d]) * g.step[d][d];
  }
  return {lo, hi, {box.periodic(0), box.periodic(1), box.periodic(2)}};
}

void require_size(space_type const& space, grid const& g) {
  double points = 1;
  for (int d = 0; d < 3; ++d) points *= static_cast<double>(g.points[d]);
  if (points > 0x1p37)
    throw upsweep::input_error("a grid of " + std::to_string(g.points[0]) + " x " + std::to_string(g.points[1]) +
                               " x " + std::to_string(g.points[2]) +
                               " points (expected no more than 2^37: a larger --spacing)");
  upsweep::require_memory(space, static_cast<std::size_t>(g.size()) * sizeof(double), "upsweep-surface", "the grid");
}

}  // namespace

field<double> density(space_type const& space, std::vector<double> const& positions, upsweep::box<double> const& box,
                      double radius, double spacing) {
  grid const g = grid_of(positions, box, radius, spacing);
  require_size(space, g);
  bool const is_periodic = box.periodic(0) && box.periodic(1) && box.periodic(2);
  auto const particles = make<vectors>(space, "upsweep-surface::particles", positions.size() / 3);
  Kokkos::deep_copy(space, particles,
                    Kokkos::View<double const* [3], Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                        positions.data(), positions.size() / 3));
  auto const values = make<array<double>>(space, "upsweep-surface::density", static_cast<std::size_t>(g.size()));
  upsweep::neighbor_list<space_type, double> list(space, is_periodic ? box : box_around(g, box), radius,
                                                  {.distances = true});
  for (std::int64_t first = 0; first < g.size(); first += piece) {
    std::int64_t const last = std::min(first + piece, g.size());
    auto const points = make<vectors>(space, "upsweep-surface::points", static_cast<std::size_t>(last - first));
    Kokkos::parallel_for("upsweep-surface::place_points", index_range(space, 0, last - first),
                         place_points{g, first, points});
    list.update(space, points, particles);
    auto const sums = Kokkos::subview(values, std::pair<std::int64_t, std::int64_t>(first, last));
    upsweep::segmented_reduce(space, list.pairs(), weigh{list.distances().view().data(), radius},
                              upsweep::segment_offsets{list.offsets()}, sums);
  }
  return {g, values};
}

}  // namespace surface
