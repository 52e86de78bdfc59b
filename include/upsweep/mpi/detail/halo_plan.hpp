// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/neighbors/image.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace upsweep::mpi::detail {

/// Particles that, moved by shift, stand within [lo, hi] go over one link.
template <class Real>
struct halo_region {
  Kokkos::Array<Real, 3> lo, hi, shift;
};

/// One link: to or from a rank, as one image. One message carries all links between two ranks.
struct halo_link {
  int peer;
  upsweep::image image;
};

template <class Real>
struct halo_plan {
  std::vector<halo_link> sends, receives;  ///< by peer, then image
  std::vector<halo_region<Real>> regions;  ///< of sends
  upsweep::mpi::brick<Real> inner;         ///< what lies strictly inside is a ghost nowhere
};

/// How far beyond the radius ghosts are taken along one direction: more than rounding can take away from a distance
/// that is computed from coordinates of this size.
template <class Real>
Real halo_slack(upsweep::box<Real> const& box, int d, Real radius) {
  Real const largest = std::max(std::abs(box.lo(d)), std::abs(box.hi(d))) + box.length(d) + radius;
  return 32 * std::numeric_limits<Real>::epsilon() * largest;
}

/// Calls f(image, region) for every image as which particles of rank `from` may be ghosts on rank `to`, by image. A
/// function of the bricks alone, so that both ranks find the same.
template <class Real, class F>
void for_each_link(domain<Real> const& parts, upsweep::mpi::brick<Real> const& from,
                   upsweep::mpi::brick<Real> const& to, bool same, Real radius, F const& f) {
  auto const& box = parts.box();
  // Bricks are no thinner than the radius, so images next to the box suffice, unless they are all of the box and as
  // thin as the radius.
  int reach[3];
  for (int d = 0; d < 3; ++d)
    reach[d] = !box.periodic(d) ? 0 : (radius + 2 * halo_slack(box, d, radius) < box.length(d) ? 1 : 2);
  for (int z = -reach[2]; z <= reach[2]; ++z)
    for (int y = -reach[1]; y <= reach[1]; ++y)
      for (int x = -reach[0]; x <= reach[0]; ++x) {
        if (same && x == 0 && y == 0 && z == 0) continue;
        halo_region<Real> region;
        region.shift = box.shift(upsweep::image(x, y, z));
        bool meet = true;
        for (int d = 0; d < 3; ++d) {
          Real const slack = halo_slack(box, d, radius);
          region.lo[d] = to.lo[d] - radius - slack;
          region.hi[d] = to.hi[d] + radius + slack;
          meet = meet && from.lo[d] + region.shift[d] <= region.hi[d] && from.hi[d] + region.shift[d] >= region.lo[d];
        }
        if (meet) f(upsweep::image(x, y, z), region);
      }
}

template <class Real>
halo_plan<Real> make_halo_plan(domain<Real> const& parts, int rank, Real radius) {
  halo_plan<Real> plan;
  auto const mine = parts.brick(rank);
  auto const bricks = parts.bricks();
  for (int r = 0; r < static_cast<int>(bricks.size()); ++r) {
    auto const& other = bricks[static_cast<std::size_t>(r)];
    for_each_link(parts, mine, other, r == rank, radius, [&](upsweep::image s, halo_region<Real> const& region) {
      plan.sends.push_back({r, s});
      plan.regions.push_back(region);
    });
    for_each_link(parts, other, mine, r == rank, radius, [&](upsweep::image s, halo_region<Real> const&) {
      plan.receives.push_back({r, s});
    });
  }
  for (int d = 0; d < 3; ++d) {
    Real const margin = radius + 2 * halo_slack(parts.box(), d, radius);
    plan.inner.lo[d] = mine.lo[d] + margin;
    plan.inner.hi[d] = mine.hi[d] - margin;
  }
  return plan;
}

/// For bucket_rows: over which links a particle goes.
template <class Positions, class Regions, class Real>
struct links_of_particle {
  Positions positions;
  Regions regions;
  int count;
  upsweep::mpi::brick<Real> inner;

  template <class Sink>
  KOKKOS_FUNCTION void operator()(std::size_t i, Sink& sink) const {
    Real const x[3] = {positions(i, 0), positions(i, 1), positions(i, 2)};
    bool inside = true;
    for (int d = 0; d < 3; ++d) inside = inside && x[d] > inner.lo[d] && x[d] < inner.hi[d];
    if (inside) return;
    for (int l = 0; l < count; ++l) {
      halo_region<Real> const& region = regions(l);
      bool meets = true;
      for (int d = 0; d < 3 && meets; ++d) {
        Real const at = x[d] + region.shift[d];
        meets = at >= region.lo[d] && at <= region.hi[d];
      }
      if (meets) sink(l);
    }
  }
};

}  // namespace upsweep::mpi::detail
